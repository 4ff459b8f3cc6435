package dev.tidemark.templates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * An image that was written to a tar as Docker does, unpacked.
 *
 * @param config how it is run, and what its layers are
 * @param layers their names, which are digests of what they hold
 * @param root its file system
 * @param bytes the size of the tar
 */
record Image(JsonNode config, List<String> layers, Path root, long bytes) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Unpacks an image to a directory. */
  static Image of(Path tar, Path directory) throws IOException {
    Path parts = directory.resolve("parts");
    try (InputStream in = Files.newInputStream(tar)) {
      unpack(in, parts);
    }
    JsonNode manifest = JSON.readTree(parts.resolve("manifest.json").toFile()).get(0);
    List<String> layers = texts(manifest.get("Layers"));
    Path root = directory.resolve("root");
    for (String layer : layers) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(parts.resolve(layer)))) {
        unpack(in, root);
      }
    }
    JsonNode config = JSON.readTree(parts.resolve(manifest.get("Config").asText()).toFile());
    return new Image(config, layers, root, Files.size(tar));
  }

  private static void unpack(InputStream in, Path directory) throws IOException {
    try (var tar = new TarArchiveInputStream(new BufferedInputStream(in))) {
      for (TarArchiveEntry each = tar.getNextEntry(); each != null; each = tar.getNextEntry()) {
        Path file = directory.resolve(each.getName());
        if (!each.isDirectory()) {
          Files.createDirectories(file.getParent());
          Files.copy(tar, file);
        }
      }
    }
  }

  List<String> entryPoint() {
    return texts(config.at("/config/Entrypoint"));
  }

  /** What a variable of its environment is set to. */
  String variable(String name) {
    return texts(config.at("/config/Env")).stream()
        .filter(each -> each.startsWith(name + "="))
        .map(each -> each.substring(name.length() + 1))
        .findFirst()
        .orElse("");
  }

  /** The jars of a class path in it, {@code /a/*:/b/*}. */
  List<Path> jars(String classPath) throws IOException {
    List<Path> jars = new ArrayList<>();
    for (String part : classPath.split(":", -1)) {
      Path directory = root.resolve(part.substring(1)).getParent();
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
        files.forEach(jars::add);
      }
    }
    return jars;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }
}
