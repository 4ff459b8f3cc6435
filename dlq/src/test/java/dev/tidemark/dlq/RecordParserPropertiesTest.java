package dev.tidemark.dlq;

import static dev.tidemark.dlq.Samples.CSV;
import static dev.tidemark.dlq.Samples.MINUTES;
import static dev.tidemark.dlq.Samples.raw;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.sameInstance;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.event.EventCoder;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Clock;
import dev.tidemark.policy.Policy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.util.CoderUtils;

/** What holds for every record, however damaged. */
class RecordParserPropertiesTest {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();
  private static final List<String> VALID =
      List.of(
          "{\"k\":\"a\",\"t\":\"2026-07-04T10:00:00Z\",\"v\":1}",
          "{\"t\":1783159200000,\"x\":{\"y\":[1,2.5e-7,{}]},\"v\":-0.5,\"k\":\"ä😀\\ud83d\\ude00\"}",
          "a;2026-07-04T10:00:00Z;1;x",
          "\"a;\"\"b\"\"\";1783159200000;1e2;\"ä\"");

  @Property
  void randomBytesEndInOneOutputWithTheirBytes(@ForAll byte[] bytes) throws Exception {
    assertOneOutput(bytes);
  }

  @Property(tries = 5_000)
  void aDamagedRecordEndsInOneOutputWithItsBytes(@ForAll("damaged") byte[] bytes) throws Exception {
    assertOneOutput(bytes);
  }

  @Provide
  Arbitrary<byte[]> damaged() {
    return Combinators.combine(
            Arbitraries.of(VALID),
            Arbitraries.integers().between(0, 100),
            Arbitraries.integers().between(0, 3),
            Arbitraries.bytes().list().ofMaxSize(3))
        .as(RecordParserPropertiesTest::damage);
  }

  /** Puts bytes in the place of some others: a change, an insertion or a deletion. */
  private static byte[] damage(String valid, int position, int removed, List<Byte> inserted) {
    byte[] bytes = valid.getBytes(StandardCharsets.UTF_8);
    int from = Math.min(position, bytes.length);
    int to = Math.min(from + removed, bytes.length);
    byte[] damaged = new byte[bytes.length - (to - from) + inserted.size()];
    System.arraycopy(bytes, 0, damaged, 0, from);
    for (int i = 0; i < inserted.size(); i++) {
      damaged[from + i] = inserted.get(i);
    }
    System.arraycopy(bytes, to, damaged, from + inserted.size(), bytes.length - to);
    return damaged;
  }

  private static void assertOneOutput(byte[] bytes) throws Exception {
    RawRecord raw = raw(bytes);
    for (Policy policy :
        List.of(Samples.policy(), Samples.policy(CSV, Clock.EVENT_TIME, MINUTES))) {
      RecordParser.Outcome outcome = Samples.parse(policy, raw);
      if (outcome instanceof RecordParser.Parsed parsed) {
        assertThat(parsed.event().raw(), is(sameInstance(raw)));
        assertThat(CoderUtils.clone(EventCoder.of(), parsed.event()), is(parsed.event()));
      } else if (outcome instanceof RecordParser.Rejected rejected) {
        assertThat(rejected.deadLetter().raw(), is(sameInstance(raw)));
        DeadLetter deadLetter = rejected.deadLetter();
        assertThat(CoderUtils.clone(DeadLetterCoder.of(), deadLetter), is(deadLetter));
      }
    }
  }

  /** Small documents of few names, so that duplicates and the pointer's own path come up often. */
  @Property(tries = 5_000)
  void aFieldIsTheOneThatATreeOfTheWholeRecordHas(@ForAll("objects") String json)
      throws JsonProcessingException {
    String keyed = "{\"k\":0," + json.substring(1).replaceFirst("^}", "\"x\":0}");
    JsonNode expected = MAPPER.readTree(keyed).at(JsonPointer.compile("/a/1/b"));
    RecordParser.Outcome outcome = Samples.parse(Samples.reading("/a/1/b"), raw(keyed));
    if (outcome instanceof RecordParser.Parsed parsed) {
      assertThat(parsed.event().values().get(0), is(scalar(expected)));
    } else if (outcome instanceof RecordParser.Rejected rejected) {
      boolean missing = expected.isMissingNode() || expected.isNull();
      assertThat(
          rejected.deadLetter().reason(), is(missing ? Reason.MISSING_FIELD : Reason.BAD_FIELD));
      assertThat(missing || expected.isContainerNode(), is(true));
    }
  }

  private static Scalar scalar(JsonNode node) {
    return node.isNumber()
        ? new Scalar.Num(node.decimalValue())
        : node.isBoolean()
            ? new Scalar.Bool(node.booleanValue())
            : new Scalar.Text(node.textValue());
  }

  @Provide
  Arbitrary<String> objects() {
    return object(value());
  }

  private static Arbitrary<String> value() {
    Arbitrary<String> scalars = Arbitraries.of("1", "2.5", "true", "null", "\"s\"", "-7e3");
    return Arbitraries.recursive(
        () -> scalars, inner -> Arbitraries.oneOf(object(inner), array(inner), scalars), 0, 4);
  }

  private static Arbitrary<String> object(Arbitrary<String> values) {
    Arbitrary<String> names = Arbitraries.of("\"a\"", "\"b\"", "\"1\"");
    return Combinators.combine(names, values)
        .as((name, value) -> name + ":" + value)
        .list()
        .ofMaxSize(4)
        .map(fields -> fields.stream().collect(Collectors.joining(",", "{", "}")));
  }

  private static Arbitrary<String> array(Arbitrary<String> values) {
    return values
        .list()
        .ofMaxSize(3)
        .map(elements -> elements.stream().collect(Collectors.joining(",", "[", "]")));
  }
}
