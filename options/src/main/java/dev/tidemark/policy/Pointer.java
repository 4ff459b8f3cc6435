package dev.tidemark.policy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A JSON Pointer (RFC 6901) to one field of an event.
 *
 * @param text the pointer as the policy writes it, {@code /payload/amount} say
 */
public record Pointer(String text) implements Serializable {

  public Pointer {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("a JSON Pointer starts with '/'");
    }
    if (text.matches("(?s).*~(?![01]).*")) {
      throw new IllegalArgumentException("'~' stands only in '~0' (for ~) and '~1' (for /)");
    }
  }

  /** The field names, or array positions, from the outside in. */
  public List<String> tokens() {
    List<String> tokens = new ArrayList<>();
    for (String token : text.substring(1).split("/", -1)) {
      tokens.add(token.replace("~1", "/").replace("~0", "~"));
    }
    return List.copyOf(tokens);
  }

  @Override
  public String toString() {
    return text;
  }
}
