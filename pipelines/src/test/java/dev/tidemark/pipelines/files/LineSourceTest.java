package dev.tidemark.pipelines.files;

import static org.apache.beam.sdk.testing.SourceTestUtils.assertSplitAtFractionExhaustive;
import static org.apache.beam.sdk.testing.SourceTestUtils.readFromSource;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import dev.tidemark.event.RawRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineSourceTest {

  @Property(tries = 300)
  void aFileIsItsLinesByteForByte(@ForAll("content") byte[] content) throws IOException {
    Path path = temporary(content);
    assertThat(read(path, 0, Long.MAX_VALUE), is(Lines.expected(path, content)));
  }

  @Property(tries = 300)
  void rangesThatMeetGiveEachLineOnce(
      @ForAll("content") byte[] content,
      @ForAll @IntRange(max = 60) int a,
      @ForAll @IntRange(max = 60) int b)
      throws IOException {
    Path path = temporary(content);
    int first = Math.min(Math.min(a, b), content.length);
    int second = Math.min(Math.max(a, b), content.length);
    List<RawRecord> records = new ArrayList<>(read(path, 0, first));
    records.addAll(read(path, first, second));
    records.addAll(read(path, second, content.length));
    assertThat(
        Lines.withoutNumbers(records), is(Lines.withoutNumbers(Lines.expected(path, content))));
  }

  @Property(tries = 20)
  void aReaderCanBeSplitAnywhere(@ForAll("content") byte[] content) throws Exception {
    // Not from the file's start, where lines would have numbers until a split takes them away.
    String some = "\naaaa\nbbbb\ncccc\ndddd\neeee\n";
    byte[] behindALine =
        Lines.bytes(some + new String(content, StandardCharsets.ISO_8859_1) + some);
    Path path = temporary(behindALine);
    assertSplitAtFractionExhaustive(source(path, 1, behindALine.length), Lines.OPTIONS);
  }

  @Test
  void aLineMayBeLongerThanAnyBuffer(@TempDir Path directory) throws IOException {
    byte[] content = new byte[12 << 20];
    Arrays.fill(content, (byte) 'x');
    content[2] = '\n';
    content[content.length - 2] = '\n';
    Path path = Lines.write(directory.resolve("long.ndjson"), content);
    assertThat(read(path, 0, Long.MAX_VALUE), is(Lines.expected(path, content)));
  }

  @Test
  void linesMayLieAcrossBuffersInAnyWay(@TempDir Path directory) throws IOException {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    while (text.length() < 1 << 20) {
      text.append("y".repeat(random.nextInt(90_000))).append(random.nextBoolean() ? "\n" : "\r\n");
    }
    byte[] content = Lines.bytes(text.toString());
    Path path = Lines.write(directory.resolve("many.ndjson"), content);
    assertThat(read(path, 0, Long.MAX_VALUE), is(Lines.expected(path, content)));
  }

  @Provide
  Arbitrary<byte[]> content() {
    return Arbitraries.bytes()
        .between((byte) -2, (byte) 14) // line ends often, bytes that are no UTF-8, zeros
        .array(byte[].class)
        .ofMaxSize(60);
  }

  private static List<RawRecord> read(Path path, long start, long end) throws IOException {
    return readFromSource(source(path, start, end), Lines.OPTIONS);
  }

  private static LineSource source(Path path, long start, long end) throws IOException {
    return new LineSource(Lines.file(path), start, end, () -> Lines.NOW);
  }

  private static Path temporary(byte[] content) throws IOException {
    Path path = Files.createTempFile("lines", ".ndjson");
    path.toFile().deleteOnExit();
    return Lines.write(path, content);
  }
}
