package dev.tidemark.benchmarks.compare;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.greaterThan;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final String WRITE = "mkdir \"$0\" && printf 'a,0,5,%d\\nb,0,5,1\\n' > \"$0/out\"";
  private static final Engine RIGHT = new Shell("right", WRITE.formatted(1));

  @Test
  void onlyEnginesThatGiveTheSameAnswerAreCounted(@TempDir Path directory) throws Exception {
    Engine another =
        new Shell("another", "mkdir \"$0\" && printf 'b,0,5,1\\na,0,5,1\\n' > \"$0/1\"");
    Engine wrong = new Shell("wrong", WRITE.formatted(2));
    Engine failing = new Shell("failing", WRITE.formatted(1) + " && exit 1");

    Map<Engine, List<Measurement>> measurements =
        Comparison.of(Job.J1, RIGHT, directory, directory)
            .run(List.of(RIGHT, wrong, another, failing), 1, 2);

    assertThat(measurements.keySet(), contains(RIGHT, another));
    assertThat(
        measurements.get(RIGHT).stream().map(Measurement::wallSeconds).toList(),
        contains(greaterThan(0.0), greaterThan(0.0)));
  }

  @Test
  void aProcessThatGoesOnIsStoppedWhenItIsDone(@TempDir Path directory) throws Exception {
    Engine endless = new Endless(WRITE.formatted(1) + " && exec tail -f /dev/null");

    Map<Engine, List<Measurement>> measurements =
        Comparison.of(Job.J1, RIGHT, directory, directory).run(List.of(endless), 0, 1);

    assertThat(measurements.keySet(), contains(endless));
  }

  /** A script, whose first argument is the output. */
  private static class Shell implements Engine {
    private final String name;
    private final String script;

    Shell(String name, String script) {
      this.name = name;
      this.script = script;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean runs(Job job) {
      return true;
    }

    @Override
    public ProcessBuilder process(Job job, Path input, Path output) {
      return new ProcessBuilder("sh", "-c", script, output.toString());
    }

    @Override
    public List<String> answer(Path output) throws IOException {
      return OutputFiles.lines(output);
    }
  }

  /** A script that does not end by itself. */
  private static final class Endless extends Shell {
    private Path output = Path.of("");

    Endless(String script) {
      super("endless", script);
    }

    @Override
    public ProcessBuilder process(Job job, Path input, Path output) {
      this.output = output;
      return super.process(job, input, output);
    }

    @Override
    public boolean isDone(Set<String> answer) {
      try {
        return Files.exists(output) && answer(output).containsAll(answer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
