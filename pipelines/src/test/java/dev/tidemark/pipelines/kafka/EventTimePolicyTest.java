package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;

import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.beam.sdk.io.kafka.KafkaRecord;
import org.apache.beam.sdk.io.kafka.KafkaTimestampType;
import org.apache.beam.sdk.io.kafka.TimestampPolicy;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.kafka.common.TopicPartition;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of the watermark, one by one. */
class EventTimePolicyTest {
  private static final Instant START = Instant.parse("2026-07-04T10:00:00Z");
  private static final Instant NEVER = BoundedWindow.TIMESTAMP_MIN_VALUE;
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private Instant now = START;
  private Instant looked = START;
  private long backlog = 1;
  private EventTimePolicies policies = policies(policy("a", "/t"));
  private TimestampPolicy<byte[], byte[]> partition = open(Optional.empty());

  @Test
  void staysBehindTheHighestEventTimeByTheDisorderAllowed() {
    assertThat(read("t", 0), is(START));
    assertThat(read("t", -30), is(at(-30)));
    assertThat(watermark(), is(at(-10)));
  }

  @Test
  void isTheBeginningOfTimeBeforeTheFirstEvent() {
    assertThat(watermark(), is(NEVER));
  }

  @Test
  void anEventOfTheYear2099DoesNotMoveIt() {
    read("t", 0);
    read("{\"k\":\"a\",\"t\":\"2099-01-01T00:00:00Z\"}");
    assertThat(watermark(), is(at(-10)));
  }

  @Test
  void deadLettersDoNotMoveItAndAreStampedWithTheirArrival() {
    read("t", 0);
    now = at(5);
    assertThat(read("{\"t\":\"2026-07-04T10:00:04Z\"}"), is(now)); // without a key
    assertThat(read((String) null), is(now));
    assertThat(watermark(), is(at(-10)));
  }

  @Test
  void neverPassesTheWallClockHoweverFarAheadEventsMayBe() {
    policies = policies(policy("a", "/t", "watermark: {maxOutOfOrderness: 0s, maxFutureSkew: 1h}"));
    partition = open(Optional.empty());
    read("t", 1_800);
    assertThat(watermark(), is(START));
    now = at(60);
    assertThat(watermark(), is(at(60)));
  }

  @Test
  void aQuietPartitionThatIsReadToItsEndFollowsTheClock() {
    read("t", 0);
    caughtUp(59);
    assertThat(watermark(), is(at(-10)));
    caughtUp(60);
    assertThat(watermark(), is(at(50)));
    caughtUp(3_600);
    assertThat(watermark(), is(at(3_590)));
  }

  @Test
  void aPartitionThatNeverDeliveredFollowsTheClockToo() {
    caughtUp(59);
    assertThat(watermark(), is(NEVER));
    caughtUp(60);
    assertThat(watermark(), is(at(50)));
  }

  @Test
  void aPartitionOfDeadLettersOnlyIsQuiet() {
    now = at(50);
    read("poison");
    caughtUp(60);
    assertThat(watermark(), is(at(50)));
  }

  @Test
  void aBacklogKeepsItHoweverLongNothingWasRead() {
    read("t", 0);
    caughtUp(600);
    backlog = 1;
    assertThat(watermark(), is(at(-10)));
  }

  @Test
  void anUnknownBacklogKeepsIt() {
    caughtUp(600);
    backlog = -1;
    assertThat(watermark(), is(NEVER));
  }

  @Test
  void standsWhileTheBrokerDoesNotAnswer() {
    caughtUp(120);
    now = at(100_000);
    assertThat(watermark(), is(at(110)));
  }

  @Test
  void followsTheSlowerOfTwoClocks() {
    caughtUp(120);
    now = at(90);
    assertThat(watermark(), is(at(80)));
  }

  @Test
  void anEventEndsTheQuietAndTheWatermarkStaysWhereItWas() {
    caughtUp(120);
    assertThat(watermark(), is(at(110)));
    read("t", 100);
    caughtUp(150);
    assertThat(watermark(), is(at(110)));
    caughtUp(180);
    assertThat(watermark(), is(at(170)));
  }

  @Test
  void goesOnFromACheckpointAndNotBack() {
    partition = open(Optional.of(at(1_000)));
    assertThat(watermark(), is(at(1_000)));
    now = at(2_000);
    read("t", 500);
    assertThat(watermark(), is(at(1_000)));
    read("t", 1_100);
    assertThat(watermark(), is(at(1_090)));
  }

  @Test
  void aReaderThatIsOpenedAgainDoesNotMakeAPartitionBusy() {
    caughtUp(59);
    partition = open(Optional.of(watermark()));
    caughtUp(60);
    assertThat(watermark(), is(at(50)));
  }

  @Test
  void aCopyThatARunnerMakesKnowsWhatTheOthersOfItsProcessKnow() {
    EventTimePolicies original = new EventTimePolicies(List.of(policy("a", "/t")), () -> START);
    policies = SerializableUtils.clone(original);
    partition = open(Optional.of(at(-100)));
    assertThat(watermark(), is(at(-100)));
    assertThat(original.watermark(), is(at(-100)));
    assertThat(SerializableUtils.clone(original).watermark(), is(at(-100)));
  }

  @Test
  void aSourceFromTheCheckpointOfAnotherJobGoesByThePoliciesOfTheOneThatRuns() {
    PipelineOptions options = PipelineOptionsFactory.create();
    PoliciesInForce.set(options, List.of(policy("a", "/t", "watermark: {maxOutOfOrderness: 30s}")));
    now = at(1_000);
    policies =
        SerializableUtils.clone(new EventTimePolicies(List.of(policy("a", "/t")), () -> at(1_000)));
    partition = open(options, Optional.empty());
    read("t", 100);
    assertThat(watermark(), is(at(70)));

    policies = SerializableUtils.clone(policies); // as the next checkpoint has it
    partition = open(Optional.empty());
    read("t", 200);
    assertThat(watermark(), is(at(170)));
  }

  @Test
  void ofSeveralPoliciesTheLeastWatermarkAndTheEarliestTimeCount() {
    policies = policies(policy("a", "/t"), policy("b", "/u"));
    partition = open(Optional.empty());
    String both = "{\"k\":\"a\",\"t\":\"2026-07-04T10:00:00Z\",\"u\":\"2026-07-04T09:30:00Z\"}";
    assertThat(read(both), is(at(-1_800)));
    assertThat(watermark(), is(at(-1_810)));
  }

  @Test
  void aPolicyThatCanUseNoEventFollowsTheClockOnceTheOthersPartitionIsReadToItsEnd() {
    policies = policies(policy("a", "/t"), policy("b", "/u"));
    partition = open(Optional.empty());
    now = at(60);
    read("t", 55);
    assertThat(watermark(), is(NEVER));
    caughtUp(60);
    assertThat(watermark(), is(at(45)));
  }

  @Test
  void theProcessReportsTheLeastOfItsPartitions() {
    TimestampPolicy<byte[], byte[]> other =
        policies.factory().createTimestampPolicy(new TopicPartition("t", 1), Optional.of(at(-500)));
    read("t", 0);
    watermark();
    other.getWatermark(context());
    assertThat(policies.watermark(), is(at(-500)));
  }

  @Test
  void aPartitionThatNobodyAsksAboutAnyMoreIsForgotten() {
    var unused =
        policies.factory().createTimestampPolicy(new TopicPartition("t", 1), Optional.of(at(-500)));
    now = START.plus(EventTimePolicies.FORGOTTEN_AFTER);
    read("t", 0);
    watermark();
    assertThat(policies.watermark(), is(at(-10)));
  }

  @Test
  void aPartitionThatComesBackAfterItWasForgottenBeginsToBeQuietAnew() {
    now = START.plus(EventTimePolicies.FORGOTTEN_AFTER);
    looked = now;
    backlog = 0;
    partition = open(Optional.of(at(-500)));
    assertThat(watermark(), is(at(-500)));
  }

  /** Each step: an event at a time, or a look at the partition's end, with time passing. */
  @Property
  void neverGoesBackAndNeverPassesTheClock(
      @ForAll @Size(max = 40) List<@IntRange(min = -600, max = 600) Integer> steps) {
    Instant before = watermark();
    for (int step : steps) {
      now = now.plus(Duration.standardSeconds(Math.abs(step) / 2));
      if (step % 3 == 0) {
        backlog = step % 2;
        looked = now;
      } else if (step % 5 == 0) {
        partition = open(Optional.of(before));
      } else {
        read("t", step);
      }
      Instant after = watermark();
      assertThat(before, is(lessThanOrEqualTo(after)));
      assertThat(after, is(lessThanOrEqualTo(now)));
      before = after;
    }
  }

  private void caughtUp(int seconds) {
    now = at(seconds);
    looked = now;
    backlog = 0;
  }

  private EventTimePolicies policies(Policy... all) {
    return new EventTimePolicies(List.of(all), () -> now);
  }

  private TimestampPolicy<byte[], byte[]> open(Optional<Instant> checkpointed) {
    return open(PipelineOptionsFactory.create(), checkpointed);
  }

  private TimestampPolicy<byte[], byte[]> open(
      PipelineOptions options, Optional<Instant> checkpointed) {
    policies.goBy(options);
    return policies.factory().createTimestampPolicy(PARTITION, checkpointed);
  }

  private Instant watermark() {
    return partition.getWatermark(context());
  }

  private Instant read(String field, int seconds) {
    return read("{\"k\":\"a\",\"" + field + "\":\"" + at(seconds) + "\"}");
  }

  private Instant read(@Nullable String value) {
    byte @Nullable [] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
    KafkaRecord<byte[], byte[]> record =
        new KafkaRecord<>("t", 0, 7, 0, KafkaTimestampType.CREATE_TIME, null, null, bytes);
    return partition.getTimestampForRecord(context(), record);
  }

  private TimestampPolicy.PartitionContext context() {
    return new TimestampPolicy.PartitionContext() {
      @Override
      public long getMessageBacklog() {
        return backlog;
      }

      @Override
      public Instant getBacklogCheckTime() {
        return looked;
      }
    };
  }

  private static Instant at(int seconds) {
    return START.plus(Duration.standardSeconds(seconds));
  }

  private static Policy policy(String metric, String timestamp) {
    return policy(
        metric, timestamp, "watermark: {maxOutOfOrderness: 10s, idleAfter: 1m, maxFutureSkew: 5m}");
  }

  private static Policy policy(String metric, String timestamp, String watermark) {
    String yaml =
        """
        metric: %s
        version: "1"
        timestamp: %s
        key: {k: /k}
        window: {fixed: {size: 1m}}
        aggregates: {n: count}
        %s
        """;
    try {
      return PolicyLoader.parse(yaml.formatted(metric, timestamp, watermark), "policy.yaml");
    } catch (PolicyException e) {
      throw new AssertionError(e);
    }
  }
}
