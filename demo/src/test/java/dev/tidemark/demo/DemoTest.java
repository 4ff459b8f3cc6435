package dev.tidemark.demo;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;

import dev.tidemark.pipelines.TidemarkCommand;
import dev.tidemark.testkit.kafka.KafkaBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
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
  void everyResultOfTheTopicIsShownAlsoAfterTheRunHasEnded() {
    try (KafkaBroker broker = KafkaBroker.start()) {
      broker.createTopic("results", 1);
      broker.produce(List.of(result(1), result(2)));
      Panes panes = new Panes(broker.bootstrapServers(), "results", new PrintWriter(out));
      panes.endWithTheTopic();
      panes.run();
    }
    assertThat(
        out.toString().lines().toList(),
        contains("10:00  FINAL        1  a  {n=5}", "10:00  FINAL        2  a  {n=5}"));
  }

  private static ProducerRecord<byte[], byte[]> result(int firing) {
    String line =
        """
        {"windowStart":"2026-07-04T10:00:00.000Z","resultKind":"FINAL","firingSequence":%d,\
        "key":{"store_id":"a"},"value":{"n":5}}"""
            .formatted(firing);
    return new ProducerRecord<>("results", line.getBytes(StandardCharsets.UTF_8));
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
