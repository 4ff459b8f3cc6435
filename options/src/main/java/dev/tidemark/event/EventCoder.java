package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.InstantCoder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.jspecify.annotations.Nullable;

/** Key, timestamp, values, raw record. */
public final class EventCoder extends AtomicCoder<Event> {
  private static final EventCoder INSTANCE = new EventCoder();
  private static final Coder<List<@Nullable Scalar>> VALUES =
      ListCoder.of(NullableCoder.of(ScalarCoder.of()));

  private EventCoder() {}

  public static EventCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(Event event, OutputStream out) throws IOException {
    EventKeyCoder.of().encode(event.key(), out);
    InstantCoder.of().encode(event.timestamp(), out);
    VALUES.encode(event.values(), out);
    RawRecordCoder.of().encode(event.raw(), out);
  }

  @Override
  public Event decode(InputStream in) throws IOException {
    return new Event(
        EventKeyCoder.of().decode(in),
        InstantCoder.of().decode(in),
        VALUES.decode(in),
        RawRecordCoder.of().decode(in));
  }
}
