package dev.tidemark.pipelines;

import java.util.Collection;
import java.util.Map;

/** Runs that would feed on what they make. */
public final class Loops {
  private Loops() {}

  /**
   * Refuses to write to what is read.
   *
   * @param read topics
   * @param written topics, by the options that name them
   * @throws UsageException naming each such option
   */
  public static void refuse(Collection<String> read, Map<String, String> written)
      throws UsageException {
    UsageException.throwIfAny(
        written.entrySet().stream()
            .filter(option -> read.contains(option.getValue()))
            .map(
                option ->
                    option.getKey()
                        + "="
                        + option.getValue()
                        + ": is read too; write to a topic that is not")
            .toList());
  }
}
