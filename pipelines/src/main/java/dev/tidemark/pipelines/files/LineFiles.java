package dev.tidemark.pipelines.files;

import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.BoundedSource;
import org.apache.beam.sdk.io.CompressedSource;
import org.apache.beam.sdk.io.Compression;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;

/**
 * The lines of many files as raw records, byte for byte; see {@link LineSource} for what a line is.
 * Compressed files are known by their extension.
 *
 * <p>Reads block by block. Asked to give work away, a reader keeps a share that the heap bears and
 * gives the rest, whatever fraction was asked for: DirectRunner holds all that one reader returns,
 * with what becomes of it, and comes back for the rest when it has worked that off. So the size of
 * the input does not matter to it; but it works off each key of a share by itself, so that small
 * ones are dear.
 */
public final class LineFiles extends BoundedSource<RawRecord> {
  static final long BLOCK_BYTES = 8L << 20;

  /** The dead letters of two readers' shares, each fifty times its line, fit into the heap. */
  private static final int SHARES_OF_HEAP = 128;

  private static final long MOST_KEPT_BYTES = 64L << 20;

  private final List<Block> blocks;
  private final long keptBytes;

  private LineFiles(List<Block> blocks, long keptBytes) {
    this.blocks = List.copyOf(blocks);
    this.keptBytes = keptBytes;
  }

  /** A part of a file that is read in one go. */
  private record Block(FileBasedSource<RawRecord> source, long bytes)
      implements java.io.Serializable {}

  /**
   * The lines of some files.
   *
   * @param files as {@link org.apache.beam.sdk.io.FileSystems#match} found them, each once
   * @param clock says when a record arrived
   */
  public static LineFiles of(List<Metadata> files, WallClock clock) {
    return of(files, clock, keptBytes(Runtime.getRuntime().maxMemory()));
  }

  static LineFiles of(List<Metadata> files, WallClock clock, long keptBytes) {
    List<Block> blocks = new ArrayList<>();
    for (Metadata file : files) {
      addBlocks(blocks, file, clock);
    }
    return new LineFiles(blocks, keptBytes);
  }

  static long keptBytes(long heapBytes) {
    return Math.max(BLOCK_BYTES, Math.min(MOST_KEPT_BYTES, heapBytes / SHARES_OF_HEAP));
  }

  private static void addBlocks(List<Block> blocks, Metadata file, WallClock clock) {
    long size = file.sizeBytes();
    if (Compression.AUTO.isCompressed(file.resourceId().toString())) {
      LineSource lines = new LineSource(file, 0, Long.MAX_VALUE, clock);
      blocks.add(new Block(CompressedSource.from(lines), size));
      return;
    }
    boolean whole = size <= LineSource.MIN_RANGE_BYTES || !file.isReadSeekEfficient();
    long step = whole ? Math.max(size, 1) : BLOCK_BYTES;
    for (long start = 0; start < size; start += step) {
      long end = Math.min(size, start + step);
      blocks.add(new Block(new LineSource(file, start, end, clock), end - start));
    }
  }

  @Override
  public List<LineFiles> split(long desiredBundleSizeBytes, PipelineOptions options) {
    List<LineFiles> splits = new ArrayList<>();
    int from = 0;
    while (from < blocks.size()) {
      int to = endOfChunk(from, desiredBundleSizeBytes);
      splits.add(part(from, to));
      from = to;
    }
    return splits;
  }

  private LineFiles part(int from, int to) {
    return new LineFiles(blocks.subList(from, to), keptBytes);
  }

  /** Takes blocks, at least one, while they fit the size. */
  private int endOfChunk(int from, long bytes) {
    int to = from + 1;
    long taken = blocks.get(from).bytes();
    while (to < blocks.size() && taken + blocks.get(to).bytes() <= bytes) {
      taken += blocks.get(to).bytes();
      to++;
    }
    return to;
  }

  @Override
  public long getEstimatedSizeBytes(PipelineOptions options) {
    return blocks.stream().mapToLong(Block::bytes).sum();
  }

  @Override
  public Coder<RawRecord> getOutputCoder() {
    return RawRecordCoder.of();
  }

  @Override
  public BoundedReader<RawRecord> createReader(PipelineOptions options) {
    return new Reader(this, options);
  }

  private static final class Reader extends BoundedReader<RawRecord> {
    private final PipelineOptions options;
    private LineFiles source; // guarded by this: a split narrows it from another thread
    private int next; // guarded by this: the block after the one being read
    private @Nullable BoundedReader<RawRecord> block;

    Reader(LineFiles source, PipelineOptions options) {
      this.source = source;
      this.options = options;
    }

    @Override
    public boolean start() throws IOException {
      return startNextBlock();
    }

    @Override
    public boolean advance() throws IOException {
      if (block != null && step(block, false)) {
        return true;
      }
      return startNextBlock();
    }

    private boolean startNextBlock() throws IOException {
      close();
      for (Block following = takeNext(); following != null; following = takeNext()) {
        block = following.source().createReader(options);
        if (step(block, true)) {
          return true;
        }
        close();
      }
      return false;
    }

    private static boolean step(BoundedReader<RawRecord> block, boolean first) throws IOException {
      try {
        return first ? block.start() : block.advance();
      } catch (IOException e) {
        throw new IOException("cannot read " + block.getCurrentSource() + ": " + e, e);
      }
    }

    private synchronized @Nullable Block takeNext() {
      return next < source.blocks.size() ? source.blocks.get(next++) : null;
    }

    @Override
    public RawRecord getCurrent() {
      if (block == null) {
        throw new NoSuchElementException();
      }
      return block.getCurrent();
    }

    @Override
    public synchronized Double getFractionConsumed() {
      return source.blocks.isEmpty() ? 1.0 : Math.max(0, next - 1) / (double) source.blocks.size();
    }

    @Override
    public synchronized @Nullable LineFiles splitAtFraction(double fraction) {
      if (next == 0 || next == source.blocks.size()) {
        return null;
      }
      int kept = Math.max(next, source.endOfChunk(next - 1, source.keptBytes));
      if (kept == source.blocks.size()) {
        return null;
      }
      LineFiles rest = source.part(kept, source.blocks.size());
      source = source.part(0, kept);
      return rest;
    }

    @Override
    public synchronized LineFiles getCurrentSource() {
      return source;
    }

    @Override
    public void close() throws IOException {
      if (block != null) {
        block.close();
        block = null;
      }
    }
  }
}
