package dev.tidemark.event;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that came along with a record, in a key or a header say. Equal if their content is.
 *
 * @param array never changed
 */
@SuppressWarnings("ArrayRecordComponent") // equality is by content, below
public record Bytes(byte[] array) implements Serializable {

  /** The text that they are in UTF-8; null if they are none. */
  public @Nullable String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(array)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }
}
