package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlainLogsTest {

  @Test
  void levelAndMessageAreALine() {
    assertThat(line("the disk is slow", null), is("WARNING: the disk is slow"));
  }

  @Test
  void ofWhatWasThrownTheCauseOfAllIsSaidInItsFirstLine() {
    IOException full = new IOException("the disk is full\nat offset 7");
    assertThat(
        line("a task failed with failure cause:", new RuntimeException("wrapped", full)),
        is("WARNING: a task failed with failure cause: java.io.IOException: the disk is full"));
    assertThat(
        line("a task failed", new RuntimeException("wrapped", full)),
        is("WARNING: a task failed: java.io.IOException: the disk is full"));
  }

  private static String line(String message, @Nullable Throwable thrown) {
    LogRecord record = new LogRecord(Level.WARNING, message);
    record.setThrown(thrown);
    return new PlainLogs().format(record).stripTrailing();
  }
}
