package dev.tidemark.policy;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads policies from YAML or JSON. A problem is one line, {@code FILE:LINE: FIELD: what is wrong;
 * what is allowed}, and all of them are reported at once.
 */
public final class PolicyLoader {
  /** A policy is a page of text; what is far longer is another file by mistake. */
  private static final int MOST_BYTES = 256 * 1024;

  private PolicyLoader() {}

  /**
   * Reads the policy of a file. Register Beam's file systems first ({@code
   * FileSystems.setDefaultPipelineOptions}), unless the file is local.
   *
   * @param file a path, or a URI of a scheme that Beam knows, {@code gs://bucket/policy.yaml} say
   * @throws PolicyException naming every problem of the file
   */
  public static Policy load(String file) throws PolicyException {
    String text;
    try {
      text = TextFile.read(file, MOST_BYTES);
    } catch (IOException e) {
      String problem = file + ": cannot be read: " + e.getMessage() + "; name a policy file";
      throw new PolicyException(List.of(Reading.oneLine(problem)));
    }
    return parse(text, file);
  }

  /**
   * Reads a policy.
   *
   * @param file the name that problems are reported under, and that relative paths start from
   * @throws PolicyException naming every problem of the text
   */
  public static Policy parse(String text, String file) throws PolicyException {
    Reading reading = new Reading(file);
    Place root = null;
    if (text.length() > MOST_BYTES) {
      reading.refuse(1, Place.ROOT, "is too long", "write at most 256 KiB");
    } else {
      root = YamlDocument.read(reading, text);
    }
    @Nullable Policy policy = root == null ? null : PolicyGrammar.POLICY.read(root);
    if (policy == null || reading.problemCount() > 0) {
      throw new PolicyException(reading.problems());
    }
    return policy;
  }

  /** The line that a field of a sound policy stands in; 1 where the file leaves it out. */
  static int line(String file, String field) {
    try {
      Place root = YamlDocument.read(new Reading(file), TextFile.read(file, MOST_BYTES));
      Place place = root == null ? null : root.fields().get(field);
      return place == null ? 1 : place.line();
    } catch (IOException e) {
      return 1; // gone since it was read
    }
  }
}
