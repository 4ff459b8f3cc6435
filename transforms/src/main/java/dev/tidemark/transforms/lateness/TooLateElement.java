package dev.tidemark.transforms.lateness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.StructuredCoder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * An element that came after a window of its had closed for good.
 *
 * @param element the element
 * @param timestamp its event time
 * @param window the window that it missed; an element that missed several comes once for each
 */
public record TooLateElement<T>(T element, Instant timestamp, BoundedWindow window) {

  /** Element, timestamp, window. */
  static final class ElementCoder<T> extends StructuredCoder<TooLateElement<T>> {
    private final Coder<T> elementCoder;
    private final Coder<BoundedWindow> windowCoder;

    ElementCoder(Coder<T> elementCoder, Coder<BoundedWindow> windowCoder) {
      this.elementCoder = elementCoder;
      this.windowCoder = windowCoder;
    }

    @Override
    public void encode(TooLateElement<T> tooLate, OutputStream out) throws IOException {
      elementCoder.encode(tooLate.element, out);
      InstantCoder.of().encode(tooLate.timestamp, out);
      windowCoder.encode(tooLate.window, out);
    }

    @Override
    public TooLateElement<T> decode(InputStream in) throws IOException {
      return new TooLateElement<>(
          elementCoder.decode(in), InstantCoder.of().decode(in), windowCoder.decode(in));
    }

    @Override
    public List<? extends Coder<?>> getCoderArguments() {
      return List.of(elementCoder, windowCoder);
    }

    @Override
    public void verifyDeterministic() throws NonDeterministicException {
      elementCoder.verifyDeterministic();
      windowCoder.verifyDeterministic();
    }
  }
}
