package dev.tidemark.benchmarks.compare;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import dev.tidemark.benchmarks.plain.Job;
import dev.tidemark.benchmarks.plain.PlainJava;
import dev.tidemark.pipelines.TidemarkCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The command holds all engines to the answers of plain Java, which are held to Tidemark's here.
 */
class SameAnswerTest {
  private static final int EVENTS = 300;

  @ParameterizedTest
  @EnumSource
  void plainJavaAndTidemarkGiveTheSameAnswer(Job job, @TempDir Path directory) throws Exception {
    Path input = ClickFiles.of(directory, EVENTS, job.isHot());
    Path output = directory.resolve("output");
    Path root = Path.of(System.getProperty("tidemark.root"));

    int exitCode =
        TidemarkCommand.commandLine()
            .execute(TidemarkEngine.args(root, job, input, output).toArray(String[]::new));
    List<String> tidemark = new TidemarkEngine("direct", List.of(), List.of()).answer(output);
    List<String> plain = PlainJava.answer(job, input);

    assertThat(exitCode, is(0));
    assertThat(plain, not(empty()));
    assertThat(sorted(tidemark), is(sorted(plain)));
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }
}
