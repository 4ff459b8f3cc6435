package dev.tidemark.transforms.lateness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.StructuredCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A window that stays open for as long as its original takes late elements. Once the watermark has
 * passed it, the original is closed for good.
 */
final class ExtendedWindow<W extends BoundedWindow> extends BoundedWindow {
  private final W original;
  private final Instant maxTimestamp;

  ExtendedWindow(W original, Instant maxTimestamp) {
    this.original = original;
    this.maxTimestamp = maxTimestamp;
  }

  W original() {
    return original;
  }

  @Override
  public Instant maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ExtendedWindow<?> that
        && original.equals(that.original)
        && maxTimestamp.equals(that.maxTimestamp);
  }

  @Override
  public int hashCode() {
    return Objects.hash(original, maxTimestamp);
  }

  @Override
  public String toString() {
    return original + " taking elements until " + maxTimestamp;
  }

  /** The original, then the last instant. */
  static final class WindowCoder<W extends BoundedWindow>
      extends StructuredCoder<ExtendedWindow<W>> {
    private final Coder<W> originalCoder;

    WindowCoder(Coder<W> originalCoder) {
      this.originalCoder = originalCoder;
    }

    @Override
    public void encode(ExtendedWindow<W> window, OutputStream out) throws IOException {
      originalCoder.encode(window.original, out);
      InstantCoder.of().encode(window.maxTimestamp, out);
    }

    @Override
    public ExtendedWindow<W> decode(InputStream in) throws IOException {
      return new ExtendedWindow<>(originalCoder.decode(in), InstantCoder.of().decode(in));
    }

    @Override
    public List<? extends Coder<?>> getCoderArguments() {
      return List.of(originalCoder);
    }

    @Override
    public void verifyDeterministic() throws NonDeterministicException {
      originalCoder.verifyDeterministic();
    }
  }
}
