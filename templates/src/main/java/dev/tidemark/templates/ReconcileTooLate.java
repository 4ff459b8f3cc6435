package dev.tidemark.templates;

import dev.tidemark.pipelines.TidemarkCommand;
import java.util.stream.Stream;

/** Reconcile_Too_Late: the reconcile command. */
public final class ReconcileTooLate {
  private ReconcileTooLate() {}

  public static void main(String[] args) {
    TidemarkCommand.main(
        Stream.concat(Stream.of("reconcile"), Stream.of(args)).toArray(String[]::new));
  }
}
