package dev.tidemark.templates;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.startsWith;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The image of a template, built as docs/dataflow.md says, twice, each time in a copy of the
 * project and with caches of its own. A base of nothing but an entry point stands in for Google's.
 */
class ImageTest {
  /** That of {@code benchmarks/peers/flink}, say. */
  private static final int DEEPEST_POM = 4;

  private static final Path ROOT = Path.of(System.getProperty("tidemark.root"));
  private static final String LAUNCHER = "/opt/google/dataflow/java_template_launcher";
  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.]*?)(-.+)?\\.jar");
  private static final long MEGABYTE = 1_000_000;

  @TempDir private static Path directory = Path.of("");
  private static Image image;
  private static Image again;

  @BeforeAll
  static void build() throws Exception {
    Path base = base();
    image = image(base, "once");
    again = image(base, "again");
  }

  @Test
  void theLauncherOfTheBaseStaysTheEntryPoint() {
    assertThat(image.entryPoint(), contains(LAUNCHER));
    assertThat(image.config().at("/config/Cmd").isMissingNode(), is(true));
  }

  @Test
  void theUserIsNotRoot() {
    assertThat(image.config().at("/config/User").asText(), matchesRegex("[1-9]\\d*:[1-9]\\d*"));
  }

  static Stream<Template> templates() {
    return Template.all().stream();
  }

  @ParameterizedTest
  @MethodSource("templates")
  void theMainClassOfEachTemplateStartsFromTheClassPathThatTheLauncherIsTold(Template template)
      throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath(),
            template.mainClass().getName());
    Path log = directory.resolve(template.name() + ".log");
    int exitCode = run(new ProcessBuilder(command), log);
    assertThat(Files.readString(log), startsWith("tidemark: missing option --"));
    assertThat(exitCode, is(2));
  }

  @Test
  void theMainClassIsThatOfTheTemplateThatWasAskedFor() {
    assertThat(
        image.variable("FLEX_TEMPLATE_JAVA_MAIN_CLASS"), is(ReplayDeadLetters.class.getName()));
  }

  @Test
  void noJarIsThereInTwoVersions() throws Exception {
    Map<String, Set<String>> versions =
        jars().stream()
            .map(jar -> JAR.matcher(jar.getFileName().toString()))
            .filter(Matcher::matches)
            .collect(
                Collectors.groupingBy(
                    jar -> jar.group(1),
                    Collectors.mapping(jar -> jar.group(2), Collectors.toSet())));
    assertThat(versions, is(aMapWithSize(greaterThan(100))));
    assertThat(versions.values(), everyItem(hasSize(1)));
  }

  @Test
  void theSameSourcesGiveTheSameImage() {
    assertThat(again.layers(), is(image.layers()));
    assertThat(again.config(), is(image.config()));
  }

  @Test
  void theSizeIsAboutWhatThePageSays() {
    System.out.println("bytes that the image adds to its base: " + image.bytes());
    assertThat(image.bytes(), is(lessThan(180 * MEGABYTE)));
  }

  /** An image with an entry point and no files. */
  private static Path base() throws IOException {
    Path base = directory.resolve("base.tar");
    try (var tar = new TarArchiveOutputStream(Files.newOutputStream(base))) {
      put(
          tar,
          "config.json",
          """
          {"architecture": "amd64", "os": "linux", "config": {"Entrypoint": ["%s"]},
           "rootfs": {"type": "layers", "diff_ids": []}}
          """
              .formatted(LAUNCHER));
      put(
          tar,
          "manifest.json",
          """
          [{"Config": "config.json", "RepoTags": ["base:latest"], "Layers": []}]
          """);
    }
    return base;
  }

  private static void put(TarArchiveOutputStream tar, String name, String content)
      throws IOException {
    byte[] bytes = content.getBytes(UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  private static Image image(Path base, String name) throws Exception {
    Path own = Files.createDirectory(directory.resolve(name));
    Path project = own.resolve("project");
    copyProject(project);
    Path tar = own.resolve("image.tar");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-q",
                "-B",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo"),
                "package",
                "-pl",
                "templates",
                "-am",
                // All but jars and the image is done.
                "-Dmaven.main.skip",
                "-Dmaven.test.skip",
                "-Dspotless.check.skip",
                "-Denforcer.skip",
                "-Dimage=tidemark",
                "-Dimage.goal=buildTar",
                "-Dtemplate=" + ReplayDeadLetters.class.getSimpleName(),
                "-Djib.from.image=tar://" + base,
                "-Djib.outputPaths.tar=" + tar,
                "-Djib.applicationCache=" + own.resolve("cache"),
                "-Djib.baseImageCache=" + own.resolve("cache"),
                "-Djib.disableUpdateChecks=true"));
    if (System.getProperty("maven.mode").equals("offline true")) {
      command.add("-o");
    }
    Path log = own.resolve("log");
    int exitCode = run(new ProcessBuilder(command).directory(project.toFile()), log);
    assertThat(Files.readString(log), exitCode, is(0));
    return Image.of(tar, own.resolve("image"));
  }

  /** What Maven needs to make jars of classes that are compiled. */
  private static void copyProject(Path to) throws IOException {
    copyTree(ROOT.resolve(".mvn"), to.resolve(".mvn"));
    try (Stream<Path> files = Files.walk(ROOT, DEEPEST_POM)) {
      for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        Path module = to.resolve(ROOT.relativize(pom.getParent()));
        copyTree(pom, module.resolve("pom.xml"));
        Path classes = pom.resolveSibling("target/classes");
        if (Files.exists(classes)) {
          copyTree(classes, module.resolve("target/classes"));
        }
      }
    }
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static int run(ProcessBuilder command, Path log) throws Exception {
    return command.redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
  }

  private static List<Path> jars() throws IOException {
    return image.jars(image.variable("FLEX_TEMPLATE_JAVA_CLASSPATH"));
  }

  private static String classPath() throws IOException {
    return jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
