package dev.tidemark.benchmarks.compare;

import dev.tidemark.benchmarks.plain.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the jobs on the engines and tells what each took; {@code benchmarks/compare} starts it. */
@Command(
    name = "compare",
    description = "Run the same jobs on Tidemark and its peers, side by side.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  private static final Path TARGET = Path.of("benchmarks", "target");
  private static final Path SPARK_EVENT_LOG = TARGET.resolve("spark-events");
  private static final Engine PLAIN_JAVA =
      new PeerEngine(
          "plain-java", "plain", "dev.tidemark.benchmarks.plain.PlainJava", "", List.of());

  private static final Topics TOPICS = new Topics();

  /** Of both Flinks: it switches a reporter on that is among the peer's classes. */
  private static final String FLINK_CONFIGURATION = "benchmarks/peers/flink/conf";

  /** The peer's jar is on the module path, as the class path is the launcher's. */
  private static final TidemarkEngine TIDEMARK_FLINK =
      new TidemarkEngine(
          "tidemark-flink",
          List.of(
              "--module-path=benchmarks/peers/flink/target",
              "--add-modules=tidemark.benchmarks.flink"),
          List.of(
              "--runner=FlinkRunner",
              "--flinkConfDir=" + FLINK_CONFIGURATION,
              "--parallelism=" + Engine.PARALLELISM));

  private static final PeerEngine FLINK = flink("flink", "STREAMING");
  private static final KafkaStreamsEngine KAFKA_STREAMS = new KafkaStreamsEngine(TOPICS);

  /** Those that run a job over topics in another way are here twice, under one name. */
  private static final List<Engine> ENGINES =
      List.of(
          PLAIN_JAVA,
          new TidemarkEngine(
              "tidemark-direct", List.of(), List.of("--targetParallelism=" + Engine.PARALLELISM)),
          TIDEMARK_FLINK,
          new TopicEngine(
              TIDEMARK_FLINK.name(),
              TOPICS,
              CompareCommand::tidemarkOverTopics,
              TidemarkEngine::line),
          new SparkEngine(
              new TidemarkEngine(
                  "tidemark-spark",
                  List.of(
                      "-Dspark.eventLog.enabled=true", "-Dspark.eventLog.dir=" + SPARK_EVENT_LOG),
                  List.of(
                      "--runner=SparkRunner", "--sparkMaster=local[" + Engine.PARALLELISM + "]")),
              SPARK_EVENT_LOG),
          FLINK,
          new TopicEngine(
              FLINK.name(), TOPICS, CompareCommand::flinkOverTopics, UnaryOperator.identity()),
          flink("flink-batch", "BATCH"),
          KAFKA_STREAMS,
          new TopicEngine(
              KAFKA_STREAMS.name(), TOPICS, KAFKA_STREAMS::process, UnaryOperator.identity()),
          new SparkEngine(
              new PeerEngine(
                  "spark",
                  "spark",
                  "dev.tidemark.benchmarks.spark.SparkPeer",
                  "runners/spark/jvm.options",
                  List.of(SPARK_EVENT_LOG.toString())),
              SPARK_EVENT_LOG));

  private static PeerEngine flink(String name, String mode) {
    return new PeerEngine(
        name,
        "flink",
        "dev.tidemark.benchmarks.flink.FlinkPeer",
        "runners/flink/jvm.options",
        List.of(FLINK_CONFIGURATION, mode));
  }

  private static ProcessBuilder flinkOverTopics(Job job, Path input, String outputTopic)
      throws IOException {
    return FLINK.process(job, TOPICS.of(input), outputTopic, List.of(TOPICS.bootstrapServers()));
  }

  private static ProcessBuilder tidemarkOverTopics(Job job, Path input, String outputTopic)
      throws IOException {
    return TIDEMARK_FLINK.process(
        List.of(
            "run",
            "--policy=benchmarks/policies/" + job + ".yaml",
            "--bootstrapServers=" + TOPICS.bootstrapServers(),
            "--topic=" + TOPICS.of(input),
            "--outputTopic=" + outputTopic,
            "--tooLateTopic=" + TOPICS.create(),
            "--deadLetterTopic=" + TOPICS.create()));
  }

  @Option(names = "--jobs", split = ",", description = "Which jobs; all by default.")
  private List<Job> jobs = List.of(Job.values());

  @Option(names = "--engines", split = ",", description = "Which engines; all by default.")
  private List<String> engines = names();

  @Option(names = "--events", description = "How many; ${DEFAULT-VALUE} by default.")
  private long events = 2_000_000;

  @Option(names = "--runs", description = "That count, of each; ${DEFAULT-VALUE} by default.")
  private int runs = 5;

  @Option(names = "--warmup", description = "Runs before them; ${DEFAULT-VALUE} by default.")
  private int warmup = 1;

  @Spec private @Nullable CommandSpec spec;

  private CompareCommand() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new CompareCommand()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Engine> chosen = engines.stream().flatMap(name -> named(name).stream()).toList();
    Path scratch = Files.createDirectories(TARGET.resolve("compare"));
    Report report = new Report(events);
    boolean failed = false;
    for (Job job : jobs) {
      Path input = ClickFiles.of(TARGET, events, job.isHot());
      List<Engine> able = chosen.stream().filter(engine -> engine.runs(job)).toList();
      Map<Engine, List<Measurement>> measurements =
          Comparison.of(job, PLAIN_JAVA, input, scratch).run(able, warmup, runs);
      failed |= measurements.size() < able.size();
      report.add(job, measurements);
      report.print(job, System.out);
      report.write(TARGET.resolve("compare.json"));
    }
    return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
  }

  private List<Engine> named(String name) {
    List<Engine> named = ENGINES.stream().filter(engine -> engine.name().equals(name)).toList();
    if (named.isEmpty()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "--engines: there is no '" + name + "'; allowed: " + String.join(", ", names()));
    }
    return named;
  }

  private static List<String> names() {
    return ENGINES.stream().map(Engine::name).distinct().toList();
  }
}
