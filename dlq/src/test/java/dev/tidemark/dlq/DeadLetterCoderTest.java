package dev.tidemark.dlq;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import org.apache.beam.sdk.util.CoderUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterCoderTest {

  @ParameterizedTest
  @EnumSource
  void everyReasonComesBack(Reason reason) throws Exception {
    assertComesBack(reason, null);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "java.io.IOException: ä\n\tat x"})
  void theExceptionMayBeNull(@Nullable String exception) throws Exception {
    assertComesBack(Reason.NOT_JSON, exception);
  }

  private static void assertComesBack(Reason reason, @Nullable String exception) throws Exception {
    DeadLetter deadLetter =
        new DeadLetter(reason, "message", exception, Samples.raw("{"), "sample", "3", 300);
    assertThat(CoderUtils.clone(DeadLetterCoder.of(), deadLetter), is(deadLetter));
  }
}
