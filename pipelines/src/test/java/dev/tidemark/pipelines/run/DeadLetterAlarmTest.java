package dev.tidemark.pipelines.run;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeadLetterAlarmTest {
  private final DeadLetterAlarm alarm = new DeadLetterAlarm("m", 0.2, 100);

  @Test
  void fewerRecordsThanAskedForAreNotJudgedUntilTheEnd() {
    assertThat(look(99, 99, 0, false), is(nullValue()));
    assertThat(
        look(99, 99, 0, true),
        is(
            "m: 1.0000 of the latest 99 records are dead letters, more than"
                + " --maxDeadLetterRatio=0.2; most of them NOT_JSON 99"));
  }

  @Test
  void theRatioItselfIsAllowedAndMoreIsNot() {
    assertThat(look(100, 20, 0, false), is(nullValue()));
    assertThat(
        look(200, 41, 0, false),
        is(
            "m: 0.2100 of the latest 100 records are dead letters, more than"
                + " --maxDeadLetterRatio=0.2; most of them NOT_JSON 21"));
  }

  @Test
  void whatIsLongPastIsForgotten() {
    assertThat(look(10_000, 0, 0, false), is(nullValue()));
    assertThat(look(10_050, 10, 0, false), is(nullValue()));
    assertThat(
        look(10_100, 10, 30, false),
        is(
            "m: 0.4000 of the latest 100 records are dead letters, more than"
                + " --maxDeadLetterRatio=0.2; most of them BAD_KEY 30"));
    assertThat(look(10_200, 10, 30, false), is(nullValue()));
  }

  @Test
  void noRecordsAreNoFailure() {
    assertThat(look(0, 0, 0, true), is(nullValue()));
  }

  private @Nullable String look(long read, long notJson, long badKey, boolean ended) {
    return alarm.look(
        new Counts(
            Map.of(
                "read", read,
                "deadLetters", notJson + badKey,
                "deadLetters.NOT_JSON", notJson,
                "deadLetters.BAD_KEY", badKey)),
        ended);
  }
}
