package dev.tidemark.templates;

import dev.tidemark.pipelines.TidemarkCommand;
import java.util.stream.Stream;

/** What all templates do: the command of the same purpose, with the parameters as its options. */
final class Launcher {
  private Launcher() {}

  static void launch(String command, String[] parameters) {
    TidemarkCommand.main(
        Stream.concat(Stream.of(command), Stream.of(parameters)).toArray(String[]::new));
  }
}
