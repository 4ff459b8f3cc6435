package dev.tidemark.pipelines.files;

import static org.apache.beam.sdk.testing.SourceTestUtils.readFromSource;
import static org.apache.beam.sdk.testing.SourceTestUtils.readFromStartedReader;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.tidemark.event.RawRecord;
import dev.tidemark.pipelines.files.ReadLines.Batches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.beam.sdk.io.BoundedSource.BoundedReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines in batches are the same lines. */
class ReadLinesTest {
  @TempDir private Path directory = Path.of("");

  @Test
  void aBatchHasManyLinesAndEachLineIsInOne() throws IOException {
    byte[] content = Lines.bytes("line\n".repeat(1_201));
    Path path = Lines.write(directory.resolve("a"), content);
    List<List<RawRecord>> batches = readFromSource(batches(path), Lines.OPTIONS);
    assertThat(batches.stream().map(List::size).toList(), is(List.of(500, 500, 201)));
    assertThat(flat(batches), is(Lines.expected(path, content)));
  }

  @Test
  void aBatchOfLongLinesHasFew() throws IOException {
    byte[] content = Lines.bytes(("x".repeat(300_000) + "\n").repeat(10));
    Path path = Lines.write(directory.resolve("a"), content);
    List<List<RawRecord>> batches = readFromSource(batches(path), Lines.OPTIONS);
    assertThat(batches.stream().map(List::size).toList(), everyItem(is(lessThanOrEqualTo(4))));
    assertThat(flat(batches), is(Lines.expected(path, content)));
  }

  @Test
  void anEmptyFileHasNoBatch() throws IOException {
    Path path = Lines.write(directory.resolve("a"), new byte[0]);
    assertThat(readFromSource(batches(path), Lines.OPTIONS), is(List.of()));
  }

  @Test
  void whatAReaderGivesAwayItDoesNotGive() throws IOException {
    byte[] content = new byte[3 * (int) LineFiles.BLOCK_BYTES];
    Arrays.fill(content, (byte) 'z');
    for (int i = 100_000; i < content.length; i += 100_000) {
      content[i] = '\n';
    }
    Path path = Lines.write(directory.resolve("large"), content);
    try (BoundedReader<List<RawRecord>> reader = batches(path).createReader(Lines.OPTIONS)) {
      reader.start();
      Batches rest = (Batches) reader.splitAtFraction(0.9);
      assertThat(rest, is(notNullValue()));
      List<List<RawRecord>> both = new ArrayList<>(List.of(reader.getCurrent()));
      both.addAll(readFromStartedReader(reader));
      both.addAll(readFromSource(rest, Lines.OPTIONS));
      assertThat(
          Lines.withoutNumbers(flat(both)),
          is(Lines.withoutNumbers(Lines.expected(path, content))));
    }
  }

  private static List<RawRecord> flat(List<List<RawRecord>> batches) {
    return batches.stream().flatMap(List::stream).toList();
  }

  private static Batches batches(Path path) throws IOException {
    return new Batches(
        LineFiles.of(List.of(Lines.file(path)), () -> Lines.NOW, LineFiles.BLOCK_BYTES));
  }
}
