package dev.tidemark.pipelines.deadletters;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.jspecify.annotations.Nullable;

/**
 * Tells that a process is working on a replay; the operating system drops it with the process. It
 * saves work only, and nothing is wrong where there is none, as on {@code gs://}.
 */
final class RunLock implements Closeable {
  private final @Nullable FileChannel channel;

  private RunLock(@Nullable FileChannel channel) {
    this.channel = channel;
  }

  /** The lock, or null if another has it. */
  static @Nullable RunLock tryLock(ResourceId file) throws IOException {
    if (!file.getScheme().equals("file")) {
      return new RunLock(null);
    }
    Path path = Path.of(file.toString());
    Files.createDirectories(path.getParent());
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (isLocked(channel)) {
      return new RunLock(channel);
    }
    channel.close();
    return null;
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException byThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
