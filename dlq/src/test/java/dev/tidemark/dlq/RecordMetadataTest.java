package dev.tidemark.dlq;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.tidemark.event.Bytes;
import dev.tidemark.event.Event;
import dev.tidemark.event.Origin.Header;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.Stream;
import org.joda.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What came along with a topic's record, as keys, times and values of aggregates. */
class RecordMetadataTest {
  private static final Header[] HEADERS = {
    new Header("tenant", Samples.bytes("first")),
    new Header("tenant", Samples.bytes("t-1")),
    new Header("amount", Samples.bytes("12.50")),
    new Header("at", Samples.bytes("1783159200000")),
    new Header("a/b", Samples.bytes("slash")),
    new Header("none", null),
    new Header("binary", new Bytes(new byte[] {(byte) 0xFF}))
  };
  private static final RawRecord RECORD =
      Samples.ofTopic("{\"k\":\"a\"}", Samples.bytes("s-1"), HEADERS);

  static Stream<Arguments> values() {
    return Stream.of(
        arguments("#/key", new Scalar.Text("s-1")),
        arguments("#/topic", new Scalar.Text("orders")),
        arguments("#/partition", number("3")),
        arguments("#/offset", number("1000")),
        arguments("#/timestamp", number(Long.toString(Samples.ARRIVED.getMillis()))),
        arguments("#/headers/tenant", new Scalar.Text("t-1")),
        arguments("#/headers/a~1b", new Scalar.Text("slash")),
        arguments("/k", new Scalar.Text("a")));
  }

  @ParameterizedTest
  @MethodSource("values")
  void everyPartCanBeAKey(String pointer, Scalar value) {
    Event event = Samples.event(policy("#/timestamp", pointer, "/k"), RECORD);

    assertThat(event.key().values().get(0), is(value.canonical()));
  }

  static Stream<Arguments> partsOfAMessage() {
    return Stream.of(
        arguments("#/key", new Scalar.Text("s-1")),
        arguments("#/messageId", new Scalar.Text("77")),
        arguments("#/timestamp", number(Long.toString(Samples.ARRIVED.getMillis()))),
        arguments("#/headers/tenant", new Scalar.Text("t-1")),
        arguments("#/headers/a~1b", new Scalar.Text("slash")));
  }

  @ParameterizedTest
  @MethodSource("partsOfAMessage")
  void everyPartOfAMessageCanBeAKey(String pointer, Scalar value) {
    Map<String, String> attributes = Map.of("tenant", "t-1", "a/b", "slash");
    RawRecord message = Samples.ofSubscription("{\"k\":\"a\"}", "s-1", attributes);

    Event event = Samples.event(policy("#/timestamp", pointer, "/k"), message);
    assertThat(event.key().values().get(0), is(value.canonical()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"#/headers/absent", "#/key", "#/offset", "#/partition", "#/topic"})
  void whatAMessageDoesNotHaveIsADeadLetter(String pointer) {
    RawRecord message = Samples.ofSubscription("{\"k\":\"a\"}", null, Map.of());

    assertThat(
        Samples.deadLetter(policy("#/timestamp", pointer, "/k"), message).reason(),
        is(Reason.MISSING_KEY));
  }

  @Test
  void aHeaderOfDigitsIsANumberAndATime() {
    Event event = Samples.event(policy("#/headers/at", "/k", "#/headers/amount"), RECORD);

    assertThat(event.timestamp(), is(Instant.ofEpochMilli(1_783_159_200_000L)));
    assertThat(event.values().get(1), is(number("12.50")));
  }

  static Stream<Arguments> bad() {
    return Stream.of(
        arguments("/k", "#/headers/absent", Reason.MISSING_KEY),
        arguments("/k", "#/headers/none", Reason.MISSING_KEY),
        arguments("/k", "#/headers/binary", Reason.BAD_KEY),
        arguments("#/headers/tenant", "/k", Reason.BAD_FIELD));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void whatIsMissingOrNoTextIsADeadLetter(String summed, String key, Reason reason) {
    Policy policy = policy("#/timestamp", key, summed);

    assertThat(Samples.deadLetter(policy, RECORD).reason(), is(reason));
  }

  @Test
  void theLineOfAFileHasNone() {
    RawRecord line = Samples.raw("{\"k\":\"a\"}");

    Policy policy = policy("#/timestamp", "/k", "/k");
    assertThat(Samples.deadLetter(policy, line).reason(), is(Reason.MISSING_TIMESTAMP));
  }

  @Test
  void aTombstoneIsADeadLetterOfItsOwnAndAnEmptyValueIsNoJson() {
    Policy policy = Samples.policy();

    assertThat(Samples.deadLetter(policy, Samples.tombstone()).reason(), is(Reason.TOMBSTONE));
    assertThat(Samples.deadLetter(policy, Samples.ofTopic("", null)).reason(), is(Reason.NOT_JSON));
  }

  private static Scalar number(String value) {
    return new Scalar.Num(new BigDecimal(value));
  }

  private static Policy policy(String timestamp, String key, String summed) {
    String yaml =
        """
        {metric: m, version: "1", timestamp: "%s", key: {k: "%s"}, window: {fixed: {size: 1m}},
         aggregates: {n: count, sum: {%s: "%s"}}}
        """
            .formatted(timestamp, key, summed.startsWith("#") ? "sum" : "last", summed);
    try {
      return PolicyLoader.parse(yaml, "policy.yaml");
    } catch (PolicyException e) {
      throw new AssertionError(e);
    }
  }
}
