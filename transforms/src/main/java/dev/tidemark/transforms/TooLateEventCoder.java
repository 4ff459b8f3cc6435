package dev.tidemark.transforms;

import dev.tidemark.event.EventCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.AtomicCoder;

/** The event and the window that it missed. */
public final class TooLateEventCoder extends AtomicCoder<TooLateEvent> {
  private static final TooLateEventCoder INSTANCE = new TooLateEventCoder();

  private TooLateEventCoder() {}

  public static TooLateEventCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(TooLateEvent tooLate, OutputStream out) throws IOException {
    EventCoder.of().encode(tooLate.event(), out);
    ResultWindowCoder.of().encode(tooLate.window(), out);
  }

  @Override
  public TooLateEvent decode(InputStream in) throws IOException {
    return new TooLateEvent(EventCoder.of().decode(in), ResultWindowCoder.of().decode(in));
  }
}
