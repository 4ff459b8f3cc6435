package dev.tidemark.dlq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;

import dev.tidemark.event.JsonFields;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.testkit.PipelineExtension;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.StringUtf8Coder;
import org.apache.beam.sdk.io.FileIO;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.transforms.errorhandling.ErrorHandler.BadRecordErrorHandler;
import org.apache.beam.sdk.util.CoderUtils;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(PipelineExtension.class)
class DeadLettersOfBadRecordsTest {

  @Test
  void whatASinkOfBeamFailsOnBecomesADeadLetter(TestPipeline pipeline, @TempDir Path directory)
      throws Exception {
    try (BadRecordErrorHandler<PDone> handler =
        pipeline.registerBadRecordErrorHandler(
            sink(
                deadLetter -> {
                  assertThat(deadLetter.reason(), is(Reason.IO_FAILURE));
                  assertThat(deadLetter.raw().bytes(), is("bad".getBytes(UTF_8)));
                  assertThat(deadLetter.raw().arrivedAt(), is(Samples.NOW));
                  assertThat(deadLetter.metric(), is("sample"));
                  String exception =
                      "java.lang.RuntimeException: java.lang.IllegalStateException: refused";
                  assertThat(deadLetter.exception(), startsWith(exception));
                  String attempt = ((Origin.Attempt) deadLetter.raw().origin()).attempt();
                  assertThat(deadLetter.message(), is(attempt + ": " + exception));
                  return null;
                }))) {
      pipeline
          .apply(Create.of("good", "bad"))
          .apply(
              FileIO.<String, String>writeDynamic()
                  .by(DeadLettersOfBadRecordsTest::destination)
                  .withDestinationCoder(StringUtf8Coder.of())
                  .via(TextIO.sink())
                  .to(directory.toString())
                  .withNumShards(1)
                  .withNaming(destination -> FileIO.Write.defaultNaming(destination, ".txt"))
                  .withBadRecordErrorHandler(handler));
    }
    pipeline.run().waitUntilFinish();
  }

  private static String destination(String element) {
    if (element.equals("bad")) {
      throw new IllegalStateException("refused");
    }
    return element;
  }

  @ParameterizedTest
  @MethodSource("records")
  void theRawBytesAreTheEncodedRecordElseWhatIsShownOfIt(
      BadRecord.Record record, String raw, TestPipeline pipeline) {
    BadRecord bad =
        BadRecord.builder()
            .setRecord(record)
            .setFailure(BadRecord.Failure.builder().setDescription("Failed to try").build())
            .build();
    pipeline
        .apply(Create.of(bad).withCoder(BadRecord.getCoder(pipeline)))
        .apply(
            sink(
                deadLetter -> {
                  assertThat(new String(deadLetter.raw().bytes(), UTF_8), is(raw));
                  assertThat(deadLetter.message(), is("Failed to try"));
                  return null;
                }));
    pipeline.run().waitUntilFinish();
  }

  static Stream<Arguments> records() {
    BadRecord.Record shown =
        BadRecord.Record.builder().setHumanReadableJsonRecord("\"shown\"").build();
    BadRecord.Record both =
        BadRecord.Record.builder()
            .setHumanReadableJsonRecord("\"shown\"")
            .setEncodedRecord("encoded".getBytes(UTF_8))
            .build();
    return Stream.of(
        Arguments.of(both, "encoded"),
        Arguments.of(shown, "\"shown\""),
        Arguments.of(BadRecord.Record.builder().build(), ""));
  }

  @Test
  void theAttemptComesBackFromTheCoderAndFromTheLine() throws Exception {
    RawRecord raw = new RawRecord(new byte[] {1}, new Origin.Attempt("To insert"), Samples.NOW);
    assertThat(CoderUtils.clone(RawRecordCoder.of(), raw), is(raw));
    DeadLetter deadLetter = new DeadLetter(Reason.IO_FAILURE, "m", null, raw, "sample", "3", 1);
    assertThat(JsonFields.of(DeadLetterJson.line(deadLetter)).origin(), is(raw.origin()));
  }

  private static DeadLettersOfBadRecords sink(SerializableFunction<DeadLetter, Void> check) {
    return DeadLettersOfBadRecords.of(Samples.policy(), new Check(check))
        .withWallClock(Samples.FIXED_CLOCK);
  }

  /** That there is exactly one dead letter, and it is as it should be. */
  private static final class Check extends PTransform<PCollection<DeadLetter>, PDone> {
    private final SerializableFunction<DeadLetter, Void> check;

    Check(SerializableFunction<DeadLetter, Void> check) {
      this.check = check;
    }

    @Override
    public PDone expand(PCollection<DeadLetter> deadLetters) {
      PAssert.thatSingleton(deadLetters).satisfies(check);
      return PDone.in(deadLetters.getPipeline());
    }
  }
}
