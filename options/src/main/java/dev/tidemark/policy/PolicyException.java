package dev.tidemark.policy;

import java.util.List;

/** A policy that cannot be used, with every problem found in it. */
public final class PolicyException extends Exception {
  private final List<String> problems;

  public PolicyException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** One line a problem: file, line, field, what is wrong and what is allowed. */
  public List<String> problems() {
    return problems;
  }
}
