package dev.tidemark.pipelines.files;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one file, or of a byte range of it, as the bytes that they are. A line ends with
 * {@code \n} or {@code \r\n}; the last one may lack its end. A line without any byte is no record
 * and is skipped.
 *
 * <p>A range holds the lines that start inside it. Lines are numbered where the range starts the
 * file. To read several files, or compressed ones, use {@link LineFiles}.
 */
public final class LineSource extends FileBasedSource<RawRecord> {
  /** Files up to this size are read as one range, and their lines have numbers. */
  static final long MIN_RANGE_BYTES = 2L << 20;

  private final WallClock clock;

  /**
   * The lines that start in a byte range of a file.
   *
   * @param start the range's first byte
   * @param end the first byte after it; {@code Long.MAX_VALUE} for the rest of the file
   * @param clock says when a record arrived, asked as each is read
   */
  public LineSource(Metadata file, long start, long end, WallClock clock) {
    super(file, MIN_RANGE_BYTES, start, end);
    this.clock = clock;
  }

  @Override
  protected LineSource createForSubrangeOfFile(Metadata file, long start, long end) {
    return new LineSource(file, start, end, clock);
  }

  @Override
  protected FileBasedReader<RawRecord> createSingleFileReader(PipelineOptions options) {
    return new Reader(this);
  }

  @Override
  public Coder<RawRecord> getOutputCoder() {
    return RawRecordCoder.of();
  }

  private static final class Reader extends FileBasedReader<RawRecord> {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_LINE_BYTES = 1 << 30;

    private final String file;
    private final long start;
    private final WallClock clock;

    private @Nullable ReadableByteChannel channel;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private ByteBuffer target = ByteBuffer.wrap(buffer);
    private long bufferOffset;
    private int position;
    private int limit;

    private long lineOffset;
    private long lineNumber;
    private @Nullable RawRecord current;

    Reader(LineSource source) {
      super(source);
      this.file = source.getSingleFileMetadata().resourceId().toString();
      this.start = source.getStartOffset();
      this.clock = source.clock;
    }

    @Override
    protected void startReading(ReadableByteChannel opened) throws IOException {
      channel = opened;
      if (start > 0) {
        // The byte before the range tells whether a line starts with the range.
        bufferOffset = start - 1;
        ((SeekableByteChannel) opened).position(bufferOffset);
        int end = endOfLine();
        position = end < 0 ? limit : end + 1;
      }
    }

    @Override
    protected boolean readNextRecord() throws IOException {
      while (true) {
        int end = endOfLine();
        if (end < 0 && position == limit) {
          current = null;
          return false;
        }
        lineOffset = bufferOffset + position;
        lineNumber++;
        int contentEnd = end < 0 ? limit : withoutCarriageReturn(end);
        if (contentEnd > position) {
          current = record(Arrays.copyOfRange(buffer, position, contentEnd));
        }
        boolean blank = contentEnd == position;
        position = end < 0 ? limit : end + 1;
        if (!blank) {
          return true;
        }
      }
    }

    @Override
    protected long getCurrentOffset() {
      return lineOffset;
    }

    @Override
    public RawRecord getCurrent() {
      if (current == null) {
        throw new NoSuchElementException();
      }
      return current;
    }

    private RawRecord record(byte[] line) {
      Long number = start == 0 ? lineNumber : null;
      return new RawRecord(line, new Origin.FileLine(file, lineOffset, number), clock.now());
    }

    private int withoutCarriageReturn(int end) {
      return end > position && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    /** Where the line at the position ends; -1, with the rest of the file buffered, if nowhere. */
    private int endOfLine() throws IOException {
      int searched = position;
      while (true) {
        for (int i = searched; i < limit; i++) {
          if (buffer[i] == '\n') {
            return i;
          }
        }
        int pending = limit - position;
        if (!fill()) {
          return -1;
        }
        searched = position + pending;
      }
    }

    /** Reads more behind what is buffered from the position on; false at the end of the file. */
    private boolean fill() throws IOException {
      makeRoom();
      target.limit(buffer.length).position(limit);
      int read;
      do {
        read = channel().read(target);
      } while (read == 0);
      limit += Math.max(read, 0);
      return read > 0;
    }

    private void makeRoom() throws IOException {
      if (position > 0) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        bufferOffset += position;
        limit -= position;
        position = 0;
      }
      if (limit == buffer.length) {
        if (limit >= MAX_LINE_BYTES) {
          throw new IOException(
              "a line longer than " + MAX_LINE_BYTES + " bytes at offset " + bufferOffset);
        }
        buffer = Arrays.copyOf(buffer, 2 * limit);
        target = ByteBuffer.wrap(buffer);
      }
    }

    private ReadableByteChannel channel() {
      if (channel == null) {
        throw new IllegalStateException("not started");
      }
      return channel;
    }
  }
}
