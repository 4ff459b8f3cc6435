package dev.tidemark.pipelines.deadletters;

import dev.tidemark.dlq.DeadLetter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The files to replay. A file is replayed whole or not at all, as far as the metric goes: one whose
 * dead letters fit the filter only in part is left, and so is one with a line that cannot be read,
 * since what is claimed must all be replayed.
 *
 * @param files those of which every dead letter of the metric fits
 * @param left the others that have some that fit, and why each is left
 */
record Selection(List<String> files, List<String> left) {

  /** Reads the files through. */
  static Selection of(List<Metadata> candidates, String metric, ReplayFilter filter)
      throws IOException {
    Selection selection = new Selection(new ArrayList<>(), new ArrayList<>());
    for (Metadata file : candidates) {
      Contents contents = new Contents(metric, filter);
      DeadLetterFile.read(file, contents::add, contents::malformed);
      contents.sort(file.resourceId().toString(), selection);
    }
    return selection;
  }

  /** What a file holds. */
  private static final class Contents {
    private final String metric;
    private final ReplayFilter filter;
    private long fitting;
    private long others;
    private @Nullable String malformed;

    Contents(String metric, ReplayFilter filter) {
      this.metric = metric;
      this.filter = filter;
    }

    void add(DeadLetter deadLetter) {
      if (!deadLetter.metric().equals(metric)) {
        return;
      }
      if (filter.takes(deadLetter)) {
        fitting++;
      } else {
        others++;
      }
    }

    void malformed(String problem) {
      malformed = malformed == null ? problem : malformed;
    }

    void sort(String file, Selection selection) {
      if (malformed != null) {
        selection.left().add(malformed + "; the file is left");
      } else if (fitting > 0 && others > 0) {
        selection
            .left()
            .add(
                "%s: %,d of %,d dead letters do not fit --reason, --from and --to; the file is left"
                    .formatted(file, others, fitting + others));
      } else if (fitting > 0) {
        selection.files().add(file);
      }
    }
  }
}
