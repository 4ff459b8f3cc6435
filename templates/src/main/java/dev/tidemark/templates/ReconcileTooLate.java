package dev.tidemark.templates;

/** Reconcile_Too_Late: the reconcile command. */
public final class ReconcileTooLate {
  private ReconcileTooLate() {}

  public static void main(String[] args) {
    Launcher.launch("reconcile", args);
  }
}
