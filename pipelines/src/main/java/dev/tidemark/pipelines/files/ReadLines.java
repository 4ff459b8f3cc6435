package dev.tidemark.pipelines.files;

import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.jspecify.annotations.Nullable;

/**
 * The lines of many files as raw records, in batches; see {@link LineFiles} for the lines. Runners
 * pay for each element of a source: Flink looks through all metrics for each.
 */
public final class ReadLines extends PTransform<PBegin, PCollection<List<RawRecord>>> {
  private final LineFiles lines;

  private ReadLines(LineFiles lines) {
    this.lines = lines;
  }

  /**
   * Reads some files.
   *
   * @param files as {@link org.apache.beam.sdk.io.FileSystems#match} found them, each once
   * @param clock says when a record arrived
   */
  public static ReadLines of(List<Metadata> files, WallClock clock) {
    return new ReadLines(LineFiles.of(files, clock));
  }

  @Override
  public PCollection<List<RawRecord>> expand(PBegin begin) {
    return begin.apply("Read batches", Read.from(new Batches(lines)));
  }

  /** What another source gives, as many at a time as are worth it and fit into memory. */
  static final class Batches extends BoundedSource<List<RawRecord>> {
    private static final int MOST_RECORDS = 500;
    private static final int MOST_BYTES = 1 << 20;

    private final BoundedSource<RawRecord> lines;

    Batches(BoundedSource<RawRecord> lines) {
      this.lines = lines;
    }

    @Override
    public List<Batches> split(long desiredBundleSizeBytes, PipelineOptions options)
        throws Exception {
      return lines.split(desiredBundleSizeBytes, options).stream().map(Batches::new).toList();
    }

    @Override
    public long getEstimatedSizeBytes(PipelineOptions options) throws Exception {
      return lines.getEstimatedSizeBytes(options);
    }

    @Override
    public BoundedReader<List<RawRecord>> createReader(PipelineOptions options) throws IOException {
      return new BatchReader(lines.createReader(options));
    }

    @Override
    public Coder<List<RawRecord>> getOutputCoder() {
      return ListCoder.of(RawRecordCoder.of());
    }
  }

  private static final class BatchReader extends BoundedSource.BoundedReader<List<RawRecord>> {
    private final BoundedSource.BoundedReader<RawRecord> lines;
    private @Nullable List<RawRecord> batch;

    BatchReader(BoundedSource.BoundedReader<RawRecord> lines) {
      this.lines = lines;
    }

    @Override
    public boolean start() throws IOException {
      return fill(lines.start());
    }

    @Override
    public boolean advance() throws IOException {
      return fill(lines.advance());
    }

    private boolean fill(boolean found) throws IOException {
      batch = null;
      if (found) {
        batch = new ArrayList<>();
        long bytes = 0;
        do {
          batch.add(lines.getCurrent());
          bytes += lines.getCurrent().bytes().length;
        } while (batch.size() < Batches.MOST_RECORDS
            && bytes < Batches.MOST_BYTES
            && lines.advance());
      }
      return found;
    }

    @Override
    public List<RawRecord> getCurrent() {
      if (batch == null) {
        throw new NoSuchElementException();
      }
      return batch;
    }

    @Override
    public @Nullable Double getFractionConsumed() {
      return lines.getFractionConsumed();
    }

    @Override
    public @Nullable Batches splitAtFraction(double fraction) {
      BoundedSource<RawRecord> rest = lines.splitAtFraction(fraction);
      return rest == null ? null : new Batches(rest);
    }

    @Override
    public Batches getCurrentSource() {
      return new Batches(lines.getCurrentSource());
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
