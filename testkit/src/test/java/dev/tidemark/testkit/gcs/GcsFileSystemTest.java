package dev.tidemark.testkit.gcs;

import static dev.tidemark.testkit.gcs.GcsFiles.read;
import static dev.tidemark.testkit.gcs.GcsFiles.resource;
import static dev.tidemark.testkit.gcs.GcsFiles.resources;
import static dev.tidemark.testkit.gcs.GcsFiles.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.CreateOptions.StandardCreateOptions;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.io.fs.MatchResult.Status;
import org.apache.beam.sdk.io.fs.MoveOptions.StandardMoveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Beam's own filesystem, through its public API, on the server. */
class GcsFileSystemTest {
  private final GcsServer server = GcsServer.start();

  @BeforeEach
  void useServer() {
    PipelineOptions options = PipelineOptionsFactory.create();
    server.configure(options);
    FileSystems.setDefaultPipelineOptions(options);
    server.createBucket("bucket");
    server.createBucket("other");
  }

  @AfterEach
  void close() {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.txt",
        "dir/sub/file",
        "größe/東京/😀.json",
        "100%/a%2Fb+c",
        "reason=BAD_JSON/dt=2026-07-04/hr=10/a b&c=d;e@f:g,h'i(j).ndjson",
        "question?mark"
      })
  void whatIsWrittenUnderANameIsReadBack(String name) throws IOException {
    write("gs://bucket/" + name, name.getBytes(UTF_8));
    assertThat(server.objects("bucket"), contains(name));
    assertThat(
        ByteBuffer.wrap(read("gs://bucket/" + name)),
        equalTo(ByteBuffer.wrap(name.getBytes(UTF_8))));
  }

  @Test
  void aNameTooLongForAUrlIsReadBack() throws IOException {
    String path = "gs://bucket/" + "東".repeat(300);
    write(path, bytes(10));
    assertThat(ByteBuffer.wrap(read(path)), equalTo(ByteBuffer.wrap(bytes(10))));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1 << 20, (1 << 20) + 1, 20_000_000})
  void anObjectOfAnySizeIsReadBack(int size) throws IOException {
    write("gs://bucket/object", bytes(size));
    Metadata metadata = FileSystems.matchSingleFileSpec("gs://bucket/object");
    assertThat(metadata.sizeBytes(), is((long) size));
    assertThat(ByteBuffer.wrap(read("gs://bucket/object")), equalTo(ByteBuffer.wrap(bytes(size))));
  }

  @Test
  void aReaderStartsWhereItSeeks() throws IOException {
    byte[] content = bytes(100_000);
    server.put("gs://bucket/object", content);
    try (SeekableByteChannel channel =
        (SeekableByteChannel) FileSystems.open(resource("gs://bucket/object"))) {
      channel.position(99_990);
      ByteBuffer rest = ByteBuffer.allocate(100);
      channel.read(rest);
      assertThat(rest.flip(), equalTo(ByteBuffer.wrap(content, 99_990, 10)));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/*.txt       | a/1.txt a/2.txt",
        "a/?.txt       | a/1.txt a/2.txt",
        "a/[1].txt     | a/1.txt",
        "*             | top.txt",
        "**            | a/1.txt a/2.txt a/b/3.txt a/b/c/4.txt top.txt",
        "**/*.txt      | a/1.txt a/2.txt a/b/3.txt a/b/c/4.txt top.txt",
        "a/**/4.txt    | a/b/c/4.txt",
        "a/b/3.txt     | a/b/3.txt",
      })
  void aGlobMatches(String glob, String names) throws IOException {
    for (String name : List.of("a/1.txt", "a/2.txt", "a/b/3.txt", "a/b/c/4.txt", "top.txt")) {
      server.put("gs://bucket/" + name, bytes(1));
    }
    assertThat(matches("gs://bucket/" + glob), contains(names.split(" ", -1)));
  }

  @Test
  void aGlobMatchesMoreThanAPage() throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 10_000; i < 12_500; i++) {
      names.add("many/" + i);
      server.put("gs://bucket/many/" + i, bytes(0));
    }
    assertThat(matches("gs://bucket/many/*"), equalTo(names));
    assertThat(server.calls(), hasSize(3));
  }

  @Test
  void nothingMatchesWhereNothingIs() throws IOException {
    List<MatchResult> results =
        FileSystems.match(List.of("gs://bucket/none", "gs://bucket/none*", "gs://bucket/nor"));
    assertThat(
        results.stream().map(MatchResult::status).toList(),
        contains(Status.NOT_FOUND, Status.OK, Status.NOT_FOUND));
    assertThat(results.get(1).metadata(), empty());
    assertThrows(FileNotFoundException.class, () -> read("gs://bucket/none"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gs://bucket/", "gs://other/"})
  void copyLeavesTheSourceAndRenameDoesNot(String target) throws IOException {
    write("gs://bucket/a", bytes(3));
    FileSystems.copy(resources("gs://bucket/a"), resources(target + "b"));
    FileSystems.rename(resources("gs://bucket/a"), resources(target + "c"));
    assertThat(ByteBuffer.wrap(server.content(target + "b")), equalTo(ByteBuffer.wrap(bytes(3))));
    assertThat(ByteBuffer.wrap(server.content(target + "c")), equalTo(ByteBuffer.wrap(bytes(3))));
    assertThat(matches("gs://bucket/a*"), empty());
  }

  @Test
  void manyAreMovedAndDeletedInBatches() throws IOException {
    List<ResourceId> sources = new ArrayList<>();
    List<ResourceId> targets = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      server.put("gs://bucket/from/" + i, bytes(i));
      sources.add(resource("gs://bucket/from/" + i));
      targets.add(resource("gs://bucket/to/" + i));
    }
    FileSystems.rename(sources, targets);
    assertThat(server.objects("bucket"), hasSize(250));
    assertThat(
        ByteBuffer.wrap(server.content("gs://bucket/to/249")),
        equalTo(ByteBuffer.wrap(bytes(249))));
    FileSystems.delete(targets);
    assertThat(server.objects("bucket"), empty());
  }

  @Test
  void aBigObjectIsCopiedInSeveralCalls() throws IOException {
    server.put("gs://bucket/big", bytes(20_000_000));
    FileSystems.copy(resources("gs://bucket/big"), resources("gs://other/big"));
    assertThat(
        ByteBuffer.wrap(server.content("gs://other/big")),
        equalTo(ByteBuffer.wrap(bytes(20_000_000))));
    assertThat(
        server.calls().stream().filter(call -> call.query().contains("rewriteToken")).toList(),
        hasSize(2));
  }

  @Test
  void whatIsMissingIsIgnoredOnlyOnRequest() throws IOException {
    server.put("gs://bucket/here", bytes(1));
    List<ResourceId> sources = resources("gs://bucket/here", "gs://bucket/missing");
    List<ResourceId> targets = resources("gs://bucket/a", "gs://bucket/b");
    assertThrows(FileNotFoundException.class, () -> FileSystems.copy(sources, targets));
    FileSystems.rename(sources, targets, StandardMoveOptions.IGNORE_MISSING_FILES);
    FileSystems.delete(sources, StandardMoveOptions.IGNORE_MISSING_FILES);
    assertThat(server.objects("bucket"), contains("a"));
  }

  @Test
  void ofWritersThatExpectNoFileOneWins() throws Exception {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int writer = i;
      writers.add(
          () -> {
            StandardCreateOptions options =
                StandardCreateOptions.builder()
                    .setMimeType(GcsFiles.TEXT)
                    .setExpectFileToNotExist(true)
                    .build();
            try (WritableByteChannel channel =
                FileSystems.create(resource("gs://bucket/claim"), options)) {
              channel.write(ByteBuffer.wrap(new byte[] {(byte) writer}));
            }
            return writer;
          });
    }
    List<Integer> winners = winners(writers);
    assertThat(winners, hasSize(1));
    assertThat(server.content("gs://bucket/claim")[0], is(winners.get(0).byteValue()));
  }

  @Test
  void anOverwriteIsANewGeneration() throws IOException {
    write("gs://bucket/object", bytes(1));
    Metadata first = FileSystems.matchSingleFileSpec("gs://bucket/object");
    write("gs://bucket/object", bytes(2));
    Metadata second = FileSystems.matchSingleFileSpec("gs://bucket/object");
    assertThat(ByteBuffer.wrap(read("gs://bucket/object")), equalTo(ByteBuffer.wrap(bytes(2))));
    assertThat(second.checksum().equals(first.checksum()), is(false));
    assertThat(second.lastModifiedMillis(), greaterThan(0L));
  }

  private static List<Integer> winners(List<Callable<Integer>> writers)
      throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(writers.size());
    List<Integer> winners = new ArrayList<>();
    for (Future<Integer> writer : threads.invokeAll(writers)) {
      try {
        winners.add(writer.get());
      } catch (ExecutionException lost) {
        assertThat(lost.getMessage(), lost.getMessage().contains("412"));
      }
    }
    threads.shutdown();
    return winners;
  }

  private static List<String> matches(String glob) throws IOException {
    List<String> names = new ArrayList<>();
    for (Metadata metadata : FileSystems.match(glob).metadata()) {
      names.add(metadata.resourceId().toString().substring("gs://bucket/".length()));
    }
    return names;
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
