package dev.tidemark.transforms.aggregate;

import dev.tidemark.event.Scalar;
import dev.tidemark.event.ScalarCoder;
import dev.tidemark.transforms.AggregateValue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.sdk.util.VarInt;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The most frequent values; an empty ranking for no events. Counts every value exactly, so it grows
 * with the number of different values; sorted, so that equal counts have equal bytes.
 */
final class TopCounts implements Accumulator {
  private static final Comparator<AggregateValue.Counted> MOST_FREQUENT_FIRST =
      Comparator.comparingLong(AggregateValue.Counted::count)
          .reversed()
          .thenComparing(AggregateValue.Counted::value);

  private final int n;
  private final SortedMap<Scalar, Long> counts = new TreeMap<>();

  TopCounts(int n) {
    this.n = n;
  }

  @Override
  public void add(@Nullable Scalar value, Instant time) {
    counts.merge(Values.present(value).canonical(), 1L, Long::sum);
  }

  @Override
  public void merge(Accumulator other) {
    ((TopCounts) other).counts.forEach((value, count) -> counts.merge(value, count, Long::sum));
  }

  @Override
  public AggregateValue value() {
    return new AggregateValue.Ranking(
        counts.entrySet().stream()
            .map(entry -> new AggregateValue.Counted(entry.getKey(), entry.getValue()))
            .sorted(MOST_FREQUENT_FIRST)
            .limit(n)
            .toList());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    VarInt.encode(counts.size(), out);
    for (Map.Entry<Scalar, Long> entry : counts.entrySet()) {
      ScalarCoder.of().encode(entry.getKey(), out);
      VarInt.encode(entry.getValue(), out);
    }
  }

  @Override
  public void readFrom(InputStream in) throws IOException {
    int size = VarInt.decodeInt(in);
    for (int i = 0; i < size; i++) {
      counts.put(ScalarCoder.of().decode(in), VarInt.decodeLong(in));
    }
  }
}
