package dev.tidemark.pipelines.files;

import static org.apache.beam.sdk.testing.SourceTestUtils.readFromSource;
import static org.apache.beam.sdk.testing.SourceTestUtils.readFromStartedReader;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.event.RawRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.io.BoundedSource.BoundedReader;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineFilesTest {
  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"a.ndjson", "a.ndjson.gz", "a.ndjson.bz2", "a.ndjson.zst"})
  void compressionIsKnownByTheExtension(String name) throws IOException {
    byte[] content = Lines.bytes("one\n\ntwo\r\nthree");
    Path path = Lines.write(directory.resolve(name), content);
    assertThat(readFromSource(files(path), Lines.OPTIONS), is(Lines.expected(path, content)));
  }

  @Test
  void manyFilesAreReadOneAfterTheOtherAndEmptyOnesSkipped() throws IOException {
    Path first = Lines.write(directory.resolve("1"), Lines.bytes("a\n"));
    Path empty = Lines.write(directory.resolve("2"), new byte[0]);
    Path blank = Lines.write(directory.resolve("3"), Lines.bytes("\n\r\n"));
    Path last = Lines.write(directory.resolve("4"), Lines.bytes("b"));
    List<RawRecord> expected = new ArrayList<>(Lines.expected(first, Lines.bytes("a\n")));
    expected.addAll(Lines.expected(last, Lines.bytes("b")));
    assertThat(readFromSource(files(first, empty, blank, last), Lines.OPTIONS), is(expected));
  }

  @Test
  void aLargeFileIsSplitIntoBlocksThatGiveEachLineOnce() throws IOException {
    Path path = Lines.write(directory.resolve("large"), large());
    List<LineFiles> splits = files(path).split(1, Lines.OPTIONS);
    assertThat(splits.size(), is(greaterThan(2)));
    List<RawRecord> records = new ArrayList<>();
    for (LineFiles split : splits) {
      records.addAll(readFromSource(split, Lines.OPTIONS));
    }
    assertThat(
        Lines.withoutNumbers(records), is(Lines.withoutNumbers(Lines.expected(path, large()))));
  }

  @ParameterizedTest
  @CsvSource({"512, 8", "4096, 32", "65536, 64"})
  void aReaderKeepsAsMuchAsTheHeapBears(long heapMebibytes, long keptMebibytes) {
    assertThat(LineFiles.keptBytes(heapMebibytes << 20), is(keptMebibytes << 20));
  }

  @Test
  void aReaderKeepsABlockAndGivesTheRestAway() throws IOException {
    Path path = Lines.write(directory.resolve("large"), large());
    List<RawRecord> whole = Lines.withoutNumbers(Lines.expected(path, large()));
    try (BoundedReader<RawRecord> reader = files(path).createReader(Lines.OPTIONS)) {
      assertThat(reader.splitAtFraction(0.5), is(nullValue()));
      reader.start();
      LineFiles rest = (LineFiles) reader.splitAtFraction(0.9);
      assertThat(rest, is(notNullValue()));
      List<RawRecord> kept = new ArrayList<>(List.of(reader.getCurrent()));
      kept.addAll(readFromStartedReader(reader));
      assertThat(kept.size() * 4, is(lessThan(whole.size() * 2)));
      List<RawRecord> both = new ArrayList<>(kept);
      both.addAll(readFromSource(rest, Lines.OPTIONS));
      assertThat(Lines.withoutNumbers(both), is(whole));
      assertThat(reader.splitAtFraction(0.9), is(nullValue()));
    }
  }

  @Test
  void smallFilesAreReadTogetherInABlock() throws IOException {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      paths.add(Lines.write(directory.resolve("f" + i), Lines.bytes("x\n")));
    }
    LineFiles files = files(paths.toArray(Path[]::new));
    assertThat(files.split(10, Lines.OPTIONS).size(), is(4));
    try (BoundedReader<RawRecord> reader = files.createReader(Lines.OPTIONS)) {
      reader.start();
      assertThat(reader.splitAtFraction(0.5), is(nullValue()));
    }
  }

  @Test
  void aCutOffCompressedFileIsNamed() throws IOException {
    Path whole = Lines.write(directory.resolve("whole.gz"), Lines.bytes("one\ntwo\n".repeat(99)));
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = directory.resolve("cut.gz");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    IOException failure =
        assertThrows(IOException.class, () -> readFromSource(files(cut), Lines.OPTIONS));
    assertThat(failure.getMessage(), containsString(cut.toString()));
  }

  private static byte[] large() {
    byte[] content = new byte[4 * (int) LineFiles.BLOCK_BYTES + 5];
    Arrays.fill(content, (byte) 'z');
    for (int i = 100_000; i < content.length; i += 100_000) {
      content[i] = '\n';
    }
    return content;
  }

  private static LineFiles files(Path... paths) throws IOException {
    List<Metadata> files = new ArrayList<>();
    for (Path path : paths) {
      files.add(Lines.file(path));
    }
    return LineFiles.of(files, () -> Lines.NOW, LineFiles.BLOCK_BYTES);
  }
}
