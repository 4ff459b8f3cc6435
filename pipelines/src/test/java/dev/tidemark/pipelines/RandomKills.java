package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.greaterThan;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Kills a command thirty times, each time at the sight of a random one of the files it writes. */
final class RandomKills {
  private static final int KILLS = 30;

  private RandomKills() {}

  /** What a test does around each kill. */
  interface Step {
    void at(int kill) throws Exception;
  }

  /**
   * Starts and kills.
   *
   * @param files how many files, temporary ones too, the command writes if nobody kills it
   * @throws AssertionError if hardly any kill came while files were being written
   */
  static void of(Path directory, String[] command, int files, Step before, Step after)
      throws Exception {
    long seed = System.nanoTime();
    System.out.println("random kills of seed " + seed);
    Random random = new Random(seed);
    int whileWriting = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      before.at(kill);
      Set<Path> seen = new HashSet<>(Command.files(directory));
      int more = random.nextInt(files);
      int enough = seen.size() + more;
      boolean killed =
          Command.killWhen(
              Command.process(directory, command),
              () -> {
                seen.addAll(Command.files(directory));
                return seen.size() >= enough;
              });
      whileWriting += killed && more > 0 ? 1 : 0;
      after.at(kill);
    }
    assertThat("kills while files were being written", whileWriting, greaterThan(KILLS / 2));
  }
}
