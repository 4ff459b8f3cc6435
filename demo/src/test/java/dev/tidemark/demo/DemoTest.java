package dev.tidemark.demo;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;

import dev.tidemark.pipelines.TidemarkCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DemoTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void theDemoShowsResultsAndEndsByItselfWithEveryRecordAccountedFor() {
    assertThat(err.toString(), execute("demo", "--seconds=15"), is(0));
    assertThat(out.toString(), containsString(" FINAL "));
    assertThat(
        out.toString().lines().findFirst().orElse(""), matchesRegex("\\d\\d:\\d\\d  .*s-\\d .*"));
    assertThat("the watermark moved", err.toString(), containsString(" s behind;"));
    assertThat(err.toString(), containsString("dead letters: topic dead-letters"));
    assertThat(err.toString(), containsString("results: topic latest"));
  }

  @Test
  void aStreamOfNoLengthIsRefused() {
    assertThat(execute("demo", "--seconds=0"), is(2));
    assertThat(
        err.toString(), is("tidemark: --seconds: must be more than 0" + System.lineSeparator()));
  }

  private int execute(String... args) {
    return TidemarkCommand.commandLine(new DemoCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
