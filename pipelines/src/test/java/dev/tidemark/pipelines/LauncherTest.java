package dev.tidemark.pipelines;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher, in a checkout with a JDK and a Maven that only write down what they are told. */
class LauncherTest {
  private static final String JAVA =
      """
      if [ "$*" = -version ]; then
        cat "$JAVA_HOME/version" >&2
        exit
      fi
      for arg; do
        case $arg in
          -XX:ArchiveClassesAtExit=*)
            echo archive >>"$LOG"
            if [ -e "$JAVA_HOME/meanwhile" ]; then . "$JAVA_HOME/meanwhile"; fi
            if [ -e "$JAVA_HOME/fails" ]; then echo partly >"${arg#*=}"; exit 1; fi
            echo "$*" >"${arg#*=}"
            exit
            ;;
        esac
      done
      echo run >>"$LOG"
      echo "$@"
      """;

  private static final String JAR =
      "if [ -e \"$JAVA_HOME/jar-fails\" ]; then exit 1; fi\necho jar >\"$5\"\n";

  private static final String MVN =
      """
      echo build >>"$LOG"
      for module in options dlq transforms pipelines runners/flink; do
        mkdir -p "$module/target/classes"
        echo libraries.jar >"$module/target/classpath"
      done
      """;

  @TempDir private Path directory = Path.of("");
  private Path root = Path.of("");

  @BeforeEach
  void checkout() throws IOException {
    root = Files.createDirectory(directory.resolve("check out")).toRealPath();
    Files.copy(Path.of(System.getProperty("tidemark.root"), "tidemark"), root.resolve("tidemark"));
    Files.writeString(root.resolve("pom.xml"), "");
    for (String module : List.of("options", "dlq", "transforms", "pipelines", "runners/flink")) {
      Files.createDirectories(root.resolve(module).resolve("src/main"));
      Files.writeString(root.resolve(module).resolve("pom.xml"), "");
    }
    tool("java", JAVA);
    tool("jar", JAR);
    tool("mvn", MVN);
    jdk("17.0.1");
  }

  @Test
  void theSecondStartAfterABuildMakesAnArchiveThatItStartsFrom() throws Exception {
    assertThat(tidemark("run"), containsString(" -cp " + root.resolve("options/target/classes:")));
    assertThat(log(), contains("build", "run"));
    String started = tidemark("run");
    assertThat(log(), contains("build", "run", "archive", "run"));
    assertThat(started, containsString("-XX:SharedArchiveFile=" + archive("pipelines") + " "));
    assertThat(started, containsString(" -cp " + shared("pipelines").resolve("options.jar:")));
    assertThat(started, not(containsString("target/classes")));
  }

  @Test
  void theArchiveIsOfTheClassPathThatTheCommandHas() throws Exception {
    String started = secondRun();
    String archived = Files.readString(archive("pipelines"));
    assertThat(classPath(archived), is(classPath(started)));
  }

  @Test
  void whatIsUpToDateIsNotArchivedAgain() throws Exception {
    secondRun();
    tidemark("run");
    assertThat(log(), contains("build", "run", "archive", "run", "run"));
  }

  @Test
  void aRebuiltClassPathIsArchivedAgain() throws Exception {
    secondRun();
    Files.writeString(archive("pipelines"), "stale");
    Path stamp = root.resolve("target/tidemark-pipelines.stamp");
    Files.setLastModifiedTime(stamp, hourBefore(stamp)); // so that the sources are newer
    assertThat(tidemark("run"), not(containsString("SharedArchiveFile")));
    tidemark("run");
    assertThat(log(), contains("build", "run", "archive", "run", "build", "run", "archive", "run"));
    assertThat(Files.readString(archive("pipelines")), not(is("stale")));
  }

  @Test
  void anArchiveOlderThanTheBuildIsNotUsed() throws Exception {
    secondRun();
    Path archive = archive("pipelines");
    Files.setLastModifiedTime(archive, hourBefore(archive));
    Files.delete(directory.resolve("bin/jar"));
    assertThat(tidemark("run"), not(containsString("SharedArchiveFile")));
  }

  /** The JVM takes an archive for its own only if the jars have the times that they had. */
  @Test
  void theJarsHaveTheTimeOfTheBuildWhoeverMakesThem() throws Exception {
    secondRun();
    assertThat(
        Files.getLastModifiedTime(shared("pipelines").resolve("dlq.jar")),
        is(Files.getLastModifiedTime(root.resolve("target/tidemark-pipelines.stamp"))));
  }

  @Test
  void eachClassPathHasAnArchiveOfItsOwn() throws Exception {
    secondRun();
    String started = secondRun("--runner=FlinkRunner");
    assertThat(started, containsString("-XX:SharedArchiveFile=" + archive("runners-flink") + " "));
    String archived = Files.readString(archive("runners-flink"));
    assertThat(archived, containsString(" run --runner=FlinkRunner "));
  }

  @Test
  void anotherJdkMakesAnArchiveOfItsOwn() throws Exception {
    secondRun();
    jdk("17.0.2");
    tidemark("run");
    assertThat(log(), contains("build", "run", "archive", "run", "archive", "run"));
  }

  @Test
  void whereNoArchiveCanBeMadeTheCommandRunsFromTheClasses() throws Exception {
    Files.createFile(directory.resolve("fails"));
    String started = secondRun();
    assertThat(started, not(containsString("SharedArchiveFile")));
    assertThat(started, containsString(" -cp " + root.resolve("options/target/classes:")));
    tidemark("run");
    assertThat(log(), contains("build", "run", "archive", "run", "run"));
  }

  @Test
  void jarsThatCannotAllBeMadeAreNotUsed() throws Exception {
    Files.createFile(directory.resolve("jar-fails"));
    assertThat(secondRun(), not(containsString("SharedArchiveFile")));
    assertThat(log(), contains("build", "run", "run"));
  }

  @Test
  void anArchiveOfWhatWasBuiltAnewMeanwhileIsNotUsed() throws Exception {
    Path stamp = root.resolve("target/tidemark-pipelines.stamp");
    Files.writeString(directory.resolve("meanwhile"), "touch '" + stamp + "'\n");
    assertThat(secondRun(), not(containsString("SharedArchiveFile")));
  }

  @Test
  void whatItWorkedWithIsGone() throws Exception {
    secondRun();
    try (Stream<Path> files = Files.list(shared("pipelines"))) {
      assertThat(files.filter(Files::isDirectory).toList(), is(empty()));
    }
  }

  /** What the second of two starts gave the JVM: the one that has an archive made. */
  private String secondRun(String... options) throws Exception {
    String[] args = Stream.concat(Stream.of("run"), Stream.of(options)).toArray(String[]::new);
    tidemark(args);
    return tidemark(args);
  }

  /** Runs it to a good end; what the JVM of the command was given. */
  private String tidemark(String... args) throws Exception {
    Path out = directory.resolve("out");
    ProcessBuilder process =
        new ProcessBuilder(
            Stream.concat(Stream.of("bash", root.resolve("tidemark").toString()), Stream.of(args))
                .toList());
    process.environment().put("JAVA_HOME", directory.toString());
    process.environment().merge("PATH", directory.resolve("bin") + ":", (old, bin) -> bin + old);
    process.environment().put("LOG", directory.resolve("log").toString());
    Path err = directory.resolve("err");
    int exitCode =
        process.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
    assertThat(Files.readString(err), exitCode, is(0));
    return Files.readString(out);
  }

  private List<String> log() throws IOException {
    return Files.readAllLines(directory.resolve("log"));
  }

  private Path shared(String classPath) {
    return root.resolve("target").resolve("tidemark-" + classPath);
  }

  private Path archive(String classPath) throws IOException {
    try (Stream<Path> files = Files.list(shared(classPath))) {
      return files.filter(file -> file.toString().endsWith(".jsa")).findFirst().orElseThrow();
    }
  }

  private static String classPath(String args) {
    return args.replaceFirst("(?s).* -cp (.*) dev\\.tidemark\\..*", "$1");
  }

  private static FileTime hourBefore(Path file) throws IOException {
    return FileTime.from(Files.getLastModifiedTime(file).toInstant().minus(Duration.ofHours(1)));
  }

  private void jdk(String version) throws IOException {
    Files.writeString(directory.resolve("version"), "openjdk version \"" + version + "\"\n");
  }

  private void tool(String name, String script) throws IOException {
    Path tool = directory.resolve("bin").resolve(name);
    Files.createDirectories(Objects.requireNonNull(tool.getParent()));
    Files.writeString(tool, "#!/usr/bin/env bash\n" + script);
    assertThat(tool.toFile().setExecutable(true), is(true));
  }
}
