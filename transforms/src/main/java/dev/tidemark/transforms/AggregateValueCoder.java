package dev.tidemark.transforms;

import dev.tidemark.event.ScalarCoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.AtomicCoder;
import org.apache.beam.sdk.util.VarInt;

/** 0 and the single scalar, or one more than the number of entries of a ranking and the entries. */
final class AggregateValueCoder extends AtomicCoder<AggregateValue> {
  private static final AggregateValueCoder INSTANCE = new AggregateValueCoder();
  private static final int SINGLE = 0;

  private AggregateValueCoder() {}

  static AggregateValueCoder of() {
    return INSTANCE;
  }

  @Override
  public void encode(AggregateValue value, OutputStream out) throws IOException {
    if (value instanceof AggregateValue.Single single) {
      VarInt.encode(SINGLE, out);
      ScalarCoder.of().encode(single.scalar(), out);
    } else if (value instanceof AggregateValue.Ranking ranking) {
      VarInt.encode(ranking.entries().size() + 1, out);
      for (AggregateValue.Counted entry : ranking.entries()) {
        ScalarCoder.of().encode(entry.value(), out);
        VarInt.encode(entry.count(), out);
      }
    }
  }

  @Override
  public AggregateValue decode(InputStream in) throws IOException {
    int size = VarInt.decodeInt(in);
    if (size == SINGLE) {
      return new AggregateValue.Single(ScalarCoder.of().decode(in));
    }
    List<AggregateValue.Counted> entries = new ArrayList<>(size - 1);
    for (int i = 1; i < size; i++) {
      entries.add(new AggregateValue.Counted(ScalarCoder.of().decode(in), VarInt.decodeLong(in)));
    }
    return new AggregateValue.Ranking(List.copyOf(entries));
  }
}
