package dev.tidemark.pipelines.reconcile;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.WallClock;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.LineFiles;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import dev.tidemark.transforms.reconcile.ResultLine;
import dev.tidemark.transforms.reconcile.StandingResults;
import dev.tidemark.transforms.reconcile.UnusableTrailException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.jspecify.annotations.Nullable;

/**
 * What stands of a trail: one row for each metric, key and window. Takes memory for all rows of the
 * trail at once; of a line that stands in several files, for each of them until its key is folded.
 */
final class LatestView {
  private static final Comparator<@Nullable ResultWindow> GLOBAL_LAST =
      Comparator.nullsLast(Comparator.naturalOrder());

  private final @Nullable Policy policy;
  private final SortedMap<Scope, List<ResultLine>> trail = new TreeMap<>();
  private final Map<String, String> versions = new TreeMap<>();

  private LatestView(@Nullable Policy policy) {
    this.policy = policy;
  }

  /** All windows of a key are folded together, since sessions merge. */
  private record Scope(String metric, EventKey key) implements Comparable<Scope> {
    @Override
    public int compareTo(Scope other) {
      int byMetric = metric.compareTo(other.metric);
      return byMetric != 0 ? byMetric : key.compareTo(other.key);
    }
  }

  /**
   * The rows as result lines, by metric, key and window.
   *
   * @param policy the one whose panes are to be added up, if any are
   * @throws UsageException if a line cannot be read, is not of the policy, or cannot be added up
   */
  static List<String> of(Collection<Metadata> files, @Nullable Policy policy)
      throws UsageException, IOException {
    LatestView view = new LatestView(policy);
    try {
      view.read(files);
      return view.rows();
    } catch (UnusableTrailException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    }
  }

  private void read(Collection<Metadata> files) throws IOException {
    LineFiles lines = LineFiles.of(List.copyOf(files), WallClock.SYSTEM);
    try (var reader = lines.createReader(PipelineOptionsFactory.create())) {
      for (boolean more = reader.start(); more; more = reader.advance()) {
        ResultLine line = LineText.read(reader.getCurrent(), this::parse);
        trail
            .computeIfAbsent(
                new Scope(line.metric(), line.result().key()), scope -> new ArrayList<>())
            .add(line);
      }
    }
  }

  private ResultLine parse(String text) {
    ResultLine line = ResultLine.parse(text);
    String version = versions.putIfAbsent(line.metric(), line.policyVersion());
    if (version != null && !version.equals(line.policyVersion())) {
      throw new IllegalArgumentException(
          "policyVersion is "
              + line.policyVersion()
              + ", but before it was "
              + version
              + "; give the results of one version");
    }
    if (policy != null && line.metric().equals(policy.metric())) {
      line.checkMadeBy(policy);
    } else if (line.discarding()) {
      throw new IllegalArgumentException(
          "the panes of " + line.metric() + " add up; give its --policy");
    }
    return line;
  }

  private List<String> rows() {
    List<String> rows = new ArrayList<>();
    for (List<ResultLine> lines : trail.values()) {
      SortedMap<@Nullable ResultWindow, List<ResultLine>> standing = new TreeMap<>(GLOBAL_LAST);
      standing.putAll(StandingResults.of(lines));
      standing.values().forEach(window -> rows.add(row(window)));
    }
    return rows;
  }

  private String row(List<ResultLine> standing) {
    ResultLine last = standing.get(standing.size() - 1);
    return standing.size() == 1 || policy == null ? last.text() : sum(policy, standing);
  }

  /** The last of several panes, with the value of all. */
  private static String sum(Policy policy, List<ResultLine> panes) {
    List<Aggregate> aggregates = policy.aggregateList();
    Accumulators all = Accumulators.empty(aggregates);
    panes.forEach(pane -> all.merge(pane.accumulators(policy)));
    WindowResult last = panes.get(panes.size() - 1).result();
    return ResultJson.line(
        policy,
        new WindowResult(
            last.key(),
            last.window(),
            last.kind(),
            last.firingSequence(),
            last.isLast(),
            last.watermark(),
            last.computedAt(),
            all.values(),
            last.supersedes(),
            last.accumulators() == null ? null : AccumulatorsCoder.of(aggregates).toBase64(all),
            last.corrects()));
  }
}
