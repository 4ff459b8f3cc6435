package dev.tidemark.testkit.gcs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;

/** Whole files through Beam's FileSystems. */
final class GcsFiles {
  static final String TEXT = "text/plain";

  private GcsFiles() {}

  static void write(String path, byte[] content) throws IOException {
    try (WritableByteChannel channel = FileSystems.create(resource(path), TEXT)) {
      channel.write(ByteBuffer.wrap(content));
    }
  }

  static byte[] read(String path) throws IOException {
    try (InputStream in = Channels.newInputStream(FileSystems.open(resource(path)))) {
      return in.readAllBytes();
    }
  }

  static ResourceId resource(String path) {
    return FileSystems.matchNewResource(path, false);
  }

  static List<ResourceId> resources(String... paths) {
    List<ResourceId> resources = new ArrayList<>();
    for (String path : paths) {
      resources.add(resource(path));
    }
    return resources;
  }
}
