package dev.tidemark.transforms.aggregate;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.event.Event;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import java.math.BigDecimal;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AccumulatorSizeTest {
  private static final long START = 1_783_159_200_000L;
  private static final int EVENTS = 50_000;

  static List<Aggregate> aggregates() {
    return Samples.ONE_OF_EACH;
  }

  @ParameterizedTest
  @MethodSource("aggregates")
  void isWhatManyTypicalEventsTake(Aggregate aggregate) {
    int encoded = encodedSize(aggregate, events(aggregate));

    AccumulatorSize size = AccumulatorSize.of(aggregate);
    int stated = size.perValue() ? size.bytes() * EVENTS : size.bytes();
    assertThat(encoded, allOf(lessThanOrEqualTo(stated + 8), greaterThanOrEqualTo(stated * 2 / 3)));
  }

  @ParameterizedTest
  @MethodSource("aggregates")
  void theAccumulatorOfOneEventIsSmall(Aggregate aggregate) {
    List<Event> one = events(aggregate).subList(0, 1);

    assertThat(encodedSize(aggregate, one), lessThanOrEqualTo(21));
  }

  private static int encodedSize(Aggregate aggregate, List<Event> events) {
    String base64 = Samples.encode(aggregate, Samples.inOrder(aggregate, events));
    return Base64.getUrlDecoder().decode(base64).length;
  }

  private static List<Event> events(Aggregate aggregate) {
    return IntStream.range(0, EVENTS)
        .mapToObj(i -> Samples.event(START + i, value(aggregate, i)))
        .toList();
  }

  /** Different for each event; the numbers are spread over their range in no order. */
  private static Scalar value(Aggregate aggregate, int i) {
    return aggregate.numeric()
        ? new Scalar.Num(BigDecimal.valueOf(i * 7_919L % 100_000_000, 2))
        : new Scalar.Text(String.format("text%06d", i));
  }
}
