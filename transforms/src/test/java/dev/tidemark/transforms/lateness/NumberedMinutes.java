package dev.tidemark.transforms.lateness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.NonMergingWindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.transforms.windowing.WindowMappingFn;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Duration;
import org.joda.time.Instant;

/** A user's own windows, which are no intervals: minutes by their number since the epoch. */
final class NumberedMinutes extends NonMergingWindowFn<Object, NumberedMinutes.Minute> {

  /** The minute of a number. */
  static final class Minute extends BoundedWindow {
    private final long number;

    Minute(long number) {
      this.number = number;
    }

    @Override
    public Instant maxTimestamp() {
      return Instant.EPOCH.plus(Duration.standardMinutes(number + 1)).minus(Duration.millis(1));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Minute that && number == that.number;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }

    @Override
    public String toString() {
      return "minute " + number;
    }
  }

  @Override
  public Collection<Minute> assignWindows(AssignContext c) {
    return List.of(new Minute(Math.floorDiv(c.timestamp().getMillis(), 60_000)));
  }

  @Override
  @SuppressWarnings("deprecation") // WindowFn still asks for it
  public boolean isCompatible(WindowFn<?, ?> other) {
    return other instanceof NumberedMinutes;
  }

  @Override
  public Coder<Minute> windowCoder() {
    return new MinuteCoder();
  }

  @Override
  public WindowMappingFn<Minute> getDefaultWindowMappingFn() {
    throw new UnsupportedOperationException("not used as a side input");
  }

  private static final class MinuteCoder extends AtomicCoder<Minute> {
    @Override
    public void encode(Minute minute, OutputStream out) throws IOException {
      VarInt.encode(minute.number, out);
    }

    @Override
    public Minute decode(InputStream in) throws IOException {
      return new Minute(VarInt.decodeLong(in));
    }

    @Override
    public void verifyDeterministic() {}
  }
}
