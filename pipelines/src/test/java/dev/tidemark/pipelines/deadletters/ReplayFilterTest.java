package dev.tidemark.pipelines.deadletters;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.Reason;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import java.util.List;
import org.joda.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which dead letters a replay takes. */
class ReplayFilterTest {

  @ParameterizedTest
  @EnumSource(Reason.class)
  void everyRecordIsReplayedAndNoResultIs(Reason reason) throws Exception {
    boolean isRecord = reason != Reason.NOT_WRITTEN;
    assertThat(ReplayFilter.of(null, null, null).takes(dead(reason)), is(isRecord));
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT_WRITTEN")
  void aReasonThatIsNamedIsTheOnlyOne(Reason named) throws Exception {
    ReplayFilter filter = ReplayFilter.of(List.of(named.name()), null, null);
    for (Reason reason : Reason.values()) {
      assertThat(filter.takes(dead(reason)), is(reason == named));
    }
  }

  private static DeadLetter dead(Reason reason) {
    RawRecord raw = new RawRecord(new byte[0], new Origin.Attempt("write"), Instant.EPOCH);
    return new DeadLetter(reason, "", null, raw, "m", "1", 1);
  }
}
