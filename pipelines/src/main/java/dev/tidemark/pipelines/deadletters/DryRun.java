package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.dlq.Reason;
import dev.tidemark.dlq.RecordParser;
import dev.tidemark.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.sdk.io.FileSystems;

/** What a replay of some files would come to. */
final class DryRun {
  private final String metric;
  private final RecordParser parser;
  private final int maxAttempts;
  private final SortedMap<Reason, Long> failing = new TreeMap<>(Comparator.comparing(Reason::name));
  private long records;
  private long severe;

  private DryRun(Policy policy, int maxAttempts) {
    this.metric = policy.metric();
    this.parser = RecordParser.of(policy);
    this.maxAttempts = maxAttempts;
  }

  /** A line for the whole and one for each reason. */
  static List<String> lines(List<String> files, Policy policy, int maxAttempts) throws IOException {
    DryRun dryRun = new DryRun(policy, maxAttempts);
    for (String file : files) {
      DeadLetterFile.read(FileSystems.matchSingleFileSpec(file), dryRun::add, malformed -> {});
    }
    return dryRun.lines(files.size());
  }

  private void add(DeadLetter before) {
    if (!before.metric().equals(metric)) {
      return;
    }
    records++;
    if (parser.parse(before.raw()) instanceof RecordParser.Rejected rejected) {
      DeadLetter after = rejected.deadLetter().after(before);
      failing.merge(after.reason(), 1L, Long::sum);
      severe += after.attempts() > maxAttempts ? 1 : 0;
    }
  }

  private List<String> lines(int files) {
    long failed = failing.values().stream().mapToLong(Long::longValue).sum();
    List<String> lines =
        new ArrayList<>(
            List.of(
                "%s: would replay %,d dead letters of %,d files: %,d would pass, %,d fail, %,d of them severe"
                    .formatted(metric, records, files, records - failed, failed, severe)));
    failing.forEach((reason, count) -> lines.add("  %s %,d".formatted(reason, count)));
    return lines;
  }
}
