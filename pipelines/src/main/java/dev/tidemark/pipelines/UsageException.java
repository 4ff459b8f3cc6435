package dev.tidemark.pipelines;

import java.util.List;

/** A command that cannot be carried out as it was given; nothing has been written. */
public final class UsageException extends Exception {
  private final List<String> problems;

  public UsageException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  public UsageException(String problem) {
    this(List.of(problem));
  }

  /**
   * Refuses what has problems; does nothing where there are none.
   *
   * @param problems one line each
   */
  public static void throwIfAny(List<String> problems) throws UsageException {
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
  }

  /** One line a problem: what is wrong and what is allowed. */
  public List<String> problems() {
    return problems;
  }
}
