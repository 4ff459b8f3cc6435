package dev.tidemark.pipelines.run;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ThreadLocalRandom;

/** Names runs, so that no two write files of the same name. */
public final class RunId {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private RunId() {}

  /** A new name: when, and a random number. */
  public static String next() {
    return "%s-%08x".formatted(TIME.format(Instant.now()), ThreadLocalRandom.current().nextInt());
  }
}
