package dev.tidemark.policy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A JSON Pointer (RFC 6901) to one field of an event, or the same with {@code #} in front to what
 * came along with a topic's record or a message: {@code #/headers/NAME}, {@code #/key}, {@code
 * #/topic}, {@code #/partition}, {@code #/offset}, {@code #/timestamp} or {@code #/messageId}.
 *
 * @param text the pointer as the policy writes it, {@code /payload/amount} say
 */
public record Pointer(String text) implements Serializable {
  /** Written so that Java and JSON Schema (ECMA-262) agree on it. */
  static final String PATTERN =
      "(?![\\s\\S]*~(?![01]))"
          + "(#/(key|topic|partition|offset|timestamp|messageId|headers/[^/]+)|/[\\s\\S]*)";

  private static final Pattern FORM = Pattern.compile(PATTERN);

  public Pointer {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "not a JSON Pointer, which starts with '/' and has '~' only in '~0' (for ~) and '~1' (for"
              + " /), and not one of #/headers/NAME, #/key, #/topic, #/partition, #/offset,"
              + " #/timestamp and #/messageId");
    }
  }

  /** Whether it leads to what came along with the record, and not into the record. */
  public boolean isMetadata() {
    return text.startsWith("#");
  }

  /** The field names, or array positions, from the outside in. */
  public List<String> tokens() {
    List<String> tokens = new ArrayList<>();
    for (String token : text.substring(text.indexOf('/') + 1).split("/", -1)) {
      tokens.add(token.replace("~1", "/").replace("~0", "~"));
    }
    return List.copyOf(tokens);
  }

  @Override
  public String toString() {
    return text;
  }
}
