package dev.tidemark.pipelines;

import dev.tidemark.testkit.ReferenceValues;
import dev.tidemark.testkit.ReferenceWindows.Window;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pipeline wrote, as the reference model would say it. */
public final class InModelTerms {
  private InModelTerms() {}

  public static Window window(@Nullable ResultWindow window) {
    return window == null ? Window.GLOBAL : new Window(window.start(), window.end());
  }

  public static List<@Nullable Object> value(WindowResult result) {
    return result.value().stream().map(InModelTerms::plain).toList();
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
}
