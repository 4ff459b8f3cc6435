package dev.tidemark.benchmarks.compare;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.is;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OutputTopicTest {
  private static final String TOPIC = "output";
  private static final Set<String> ANSWER = Set.of("/a,0,60,2,9", "/b,0,60,1,7");

  private final MockConsumer<String, String> consumer =
      new MockConsumer<>(OffsetResetStrategy.EARLIEST);
  private final OutputTopic topic = new OutputTopic(consumer, TOPIC, UnaryOperator.identity());
  private long offset;

  OutputTopicTest() {
    consumer.updateBeginningOffsets(Map.of(new TopicPartition(TOPIC, 0), 0L));
  }

  private boolean isDoneAfter(String... lines) {
    for (String line : lines) {
      consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset++, "", line));
    }
    return topic.isDone(ANSWER);
  }

  @Test
  void isDoneOnceEachKeyAndWindowHasTheRightLine() {
    assertThat(isDoneAfter("/a,0,60,1,5"), is(false));
    assertThat(isDoneAfter("/b,0,60,1,7"), is(false));
    assertThat(isDoneAfter("/a,0,60,2,9"), is(true));
    assertThat(topic.lines(), containsInAnyOrder(ANSWER.toArray()));
  }

  @Test
  void aRightLineThatIsReplacedDoesNotCount() {
    assertThat(isDoneAfter("/a,0,60,2,9", "/a,0,60,3,9", "/b,0,60,1,7"), is(false));
    assertThat(isDoneAfter("/a,0,60,2,9"), is(true));
  }

  @Test
  void aRightLineThatComesAgainCountsOnce() {
    assertThat(isDoneAfter("/a,0,60,2,9", "/a,0,60,2,9"), is(false));
  }

  @Test
  void eachLineIsAResult() {
    isDoneAfter("/a,0,60,1,5", "/a,0,60,2,9");
    isDoneAfter("/a,0,60,2,9", "/b,0,60,1,7");

    assertThat(topic.results(), is(4));
  }
}
