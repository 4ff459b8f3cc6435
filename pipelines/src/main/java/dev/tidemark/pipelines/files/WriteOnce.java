package dev.tidemark.pipelines.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.CreateOptions;
import org.apache.beam.sdk.io.fs.CreateOptions.StandardCreateOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * Small files that are written once and never change: of several processes that write one, the
 * first wins, and all learn what it wrote. A process killed meanwhile leaves the whole file or
 * none.
 *
 * <p>Works where creating a file can be made to fail if it exists: on local disks, by a hard link;
 * on {@code gs://}, by a precondition of the call. Other file systems of Beam overwrite: not for
 * them.
 */
public final class WriteOnce {
  private static final CreateOptions UNLESS_THERE =
      StandardCreateOptions.builder()
          .setMimeType("application/json")
          .setExpectFileToNotExist(true)
          .build();

  private WriteOnce() {}

  /**
   * Writes a file unless it exists.
   *
   * @param writer who writes: names a local file that is written before it is linked
   * @return what the file holds, which is other than the content if another was first
   */
  public static String write(ResourceId file, String content, String writer) throws IOException {
    String before = readIfAny(file);
    if (before != null) {
      return before;
    }
    try {
      if (file.getScheme().equals("file")) {
        link(Path.of(file.toString()), content, writer);
      } else {
        create(file, content);
      }
      return content;
    } catch (IOException e) {
      // Also where it was this process that wrote, but the answer got lost.
      String standing = readIfAny(file);
      if (standing == null) {
        throw e;
      }
      return standing;
    }
  }

  /** What a file holds; null if there is none. */
  public static @Nullable String readIfAny(ResourceId file) throws IOException {
    try (InputStream in = Channels.newInputStream(FileSystems.open(file))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (FileNotFoundException none) {
      return null;
    }
  }

  private static void create(ResourceId file, String content) throws IOException {
    try (WritableByteChannel channel = FileSystems.create(file, UNLESS_THERE)) {
      writeAll(channel, content);
    }
  }

  private static void link(Path file, String content, String writer) throws IOException {
    Files.createDirectories(file.getParent());
    Path whole = file.resolveSibling("." + file.getFileName() + "." + writer);
    try (FileChannel channel =
        FileChannel.open(
            whole,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeAll(channel, content);
      channel.force(true);
    }
    try {
      Files.createLink(file, whole);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static void writeAll(WritableByteChannel channel, String content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
