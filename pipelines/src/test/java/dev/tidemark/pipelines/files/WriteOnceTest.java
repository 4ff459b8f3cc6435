package dev.tidemark.pipelines.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteOnceTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void theFirstContentStandsAndEachWriterLearnsIt() throws IOException {
    assertThat(WriteOnce.readIfAny(file("a/b.json")), is(nullValue()));
    assertThat(WriteOnce.write(file("a/b.json"), "one", "w1"), is("one"));
    assertThat(WriteOnce.write(file("a/b.json"), "two", "w2"), is("one"));
    assertThat(WriteOnce.readIfAny(file("a/b.json")), is("one"));
  }

  @Test
  void ofManyAtTheSameTimeOneWins() throws Exception {
    int writers = 16;
    ExecutorService executor = Executors.newFixedThreadPool(writers);
    try {
      List<Future<String>> learnt = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        String own = "content " + i;
        learnt.add(executor.submit(() -> WriteOnce.write(file("c.json"), own, own)));
      }
      List<String> all = new ArrayList<>();
      for (Future<String> each : learnt) {
        all.add(each.get());
      }
      String standing = Files.readString(directory.resolve("c.json"));
      assertThat(all, everyItem(is(standing)));
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void nothingIsLeftButTheFile() throws IOException {
    WriteOnce.write(file("d.json"), "one", "w1");
    WriteOnce.write(file("d.json"), "two", "w2");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.toList(), contains(directory.resolve("d.json")));
    }
  }

  @Test
  void whatAKilledWriterLeftIsNotTakenForTheFile() throws IOException {
    Files.writeString(directory.resolve(".e.json.w1"), "half");
    assertThat(WriteOnce.readIfAny(file("e.json")), is(nullValue()));
    assertThat(WriteOnce.write(file("e.json"), "whole", "w1"), is("whole"));
    assertThat(WriteOnce.readIfAny(file("e.json")), is("whole"));
  }

  @Test
  void aFileThatCannotBeWrittenIsAnError() throws IOException {
    Files.write(directory.resolve("f"), "a file".getBytes(UTF_8));
    assertThrows(IOException.class, () -> WriteOnce.write(file("f/g.json"), "one", "w1"));
  }

  private ResourceId file(String name) {
    return FileSystems.matchNewResource(directory.resolve(name).toString(), false);
  }
}
