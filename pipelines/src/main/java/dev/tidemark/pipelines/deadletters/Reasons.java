package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.Reason;
import dev.tidemark.pipelines.Nearest;
import dev.tidemark.pipelines.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reasons that {@code --reason} names. */
final class Reasons {
  private Reasons() {}

  /**
   * The reasons of these names; all if none is given.
   *
   * @throws UsageException naming each name that is no reason, and the nearest one
   */
  static Set<Reason> of(@Nullable List<String> names) throws UsageException {
    if (names == null) {
      return EnumSet.allOf(Reason.class);
    }
    List<String> known = Arrays.stream(Reason.values()).map(Reason::name).toList();
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    List<String> problems = new ArrayList<>();
    for (String name : names) {
      if (known.contains(name)) {
        reasons.add(Reason.valueOf(name));
      } else {
        problems.add(
            "--reason="
                + name
                + ": not a reason"
                + Nearest.hint(name, known)
                + "; allowed: "
                + String.join(", ", known));
      }
    }
    UsageException.throwIfAny(problems);
    return reasons;
  }
}
