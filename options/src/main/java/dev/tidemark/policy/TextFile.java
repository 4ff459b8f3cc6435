package dev.tidemark.policy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;

/** Reads small text files from any file system that Beam knows. */
final class TextFile {
  private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

  private TextFile() {}

  /**
   * The text of a file in UTF-8, without a byte order mark.
   *
   * @throws IOException with a message for the user, if the file cannot be read, is not UTF-8, or
   *     has more than {@code mostBytes}
   */
  static String read(String file, int mostBytes) throws IOException {
    byte[] bytes = bytes(file, mostBytes + 1);
    if (bytes.length > mostBytes) {
      throw new IOException("more than " + mostBytes / 1024 + " KiB");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IOException("not UTF-8", e);
    }
  }

  private static byte[] bytes(String file, int most) throws IOException {
    if (!URI.matcher(file).matches() && !Files.exists(Path.of(file))) {
      // Beam would search all of the directory for it, however deep.
      throw new FileNotFoundException("no such file");
    }
    try (InputStream in =
        Channels.newInputStream(
            FileSystems.open(FileSystems.matchSingleFileSpec(file).resourceId()))) {
      return in.readNBytes(most);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // How Beam says that it does not know the scheme, or that the name is malformed.
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The name of a file as another one gives it: relative to the folder of that other one. */
  static String beside(String other, String name) {
    return name.startsWith("/") || URI.matcher(name).matches()
        ? name
        : other.substring(0, other.lastIndexOf('/') + 1) + name;
  }
}
