package dev.tidemark.event;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.util.VarInt;

/** The number of values, then each value. Deterministic, so that keys can be grouped by. */
public final class EventKeyCoder extends AtomicCoder<EventKey> {
  private static final EventKeyCoder INSTANCE = new EventKeyCoder();

  private EventKeyCoder() {}

  public static EventKeyCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(EventKey key, OutputStream out) throws IOException {
    VarInt.encode(key.values().size(), out);
    for (Scalar value : key.values()) {
      ScalarCoder.of().encode(value, out);
    }
  }

  @Override
  public EventKey decode(InputStream in) throws IOException {
    int size = VarInt.decodeInt(in);
    List<Scalar> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(ScalarCoder.of().decode(in));
    }
    return new EventKey(values);
  }

  @Override
  public void verifyDeterministic() {}

  @Override
  public boolean consistentWithEquals() {
    return true;
  }
}
