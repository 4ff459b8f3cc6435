package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceValues;
import dev.tidemark.testkit.ReferenceWindows.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pipeline gave, as the reference model would say it. */
public final class InModelTerms {
  private InModelTerms() {}

  /** Its results. */
  public static List<ReferenceModel.Result> results(ScriptedRun run) {
    return run.results().stream().map(InModelTerms::result).toList();
  }

  /** What came too late. */
  public static List<ReferenceModel.Missed> tooLate(ScriptedRun run) {
    return run.tooLate().stream()
        .map(event -> new ReferenceModel.Missed(event.event(), window(event.window())))
        .toList();
  }

  /** In any order; a failure shows only what differs. */
  public static <T> void assertSame(List<T> actual, List<T> expected) {
    List<T> missing = new ArrayList<>(expected);
    List<T> surplus = new ArrayList<>(actual);
    expected.forEach(surplus::remove);
    actual.forEach(missing::remove);
    assertThat("missing " + missing, surplus, is(empty()));
    assertThat("missing", missing, is(empty()));
  }

  static ReferenceModel.Result result(WindowResult result) {
    return new ReferenceModel.Result(
        result.key(),
        window(result.window()),
        ReferenceModel.Kind.valueOf(result.kind().name()),
        result.firingSequence(),
        values(result.value()),
        result.supersedes().stream().map(InModelTerms::window).sorted().toList());
  }

  /** Values as {@link ReferenceValues} has them. */
  public static List<@Nullable Object> values(List<@Nullable AggregateValue> values) {
    return values.stream().map(InModelTerms::plain).toList();
  }

  private static @Nullable Object plain(@Nullable AggregateValue value) {
    if (value instanceof AggregateValue.Single single) {
      return ReferenceValues.plain(single.scalar());
    } else if (value instanceof AggregateValue.Ranking ranking) {
      return ranking.entries().stream()
          .map(
              entry ->
                  new ReferenceValues.Counted(ReferenceValues.plain(entry.value()), entry.count()))
          .toList();
    }
    return null;
  }

  /** A window, or that of all time. */
  public static Window window(@Nullable ResultWindow window) {
    return window == null ? Window.GLOBAL : new Window(window.start(), window.end());
  }
}
