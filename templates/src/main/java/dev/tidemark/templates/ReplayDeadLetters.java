package dev.tidemark.templates;

/** Replay_Dead_Letters: the replay command. */
public final class ReplayDeadLetters {
  private ReplayDeadLetters() {}

  public static void main(String[] args) {
    Launcher.launch("replay", args);
  }
}
