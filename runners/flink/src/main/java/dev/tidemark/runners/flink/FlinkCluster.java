package dev.tidemark.runners.flink;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.pipelines.UsageException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.apache.flink.client.deployment.application.executors.EmbeddedExecutor;
import org.apache.flink.client.program.StreamContextEnvironment;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.runtime.jobgraph.SavepointConfigOptions;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The cluster that {@code --flinkMaster} names. */
final class FlinkCluster {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ObjectMapper JSON = new ObjectMapper();

  private FlinkCluster() {}

  /** Whether it is a cluster, and not this process. */
  static boolean isRemote(String master) {
    return !master.startsWith("[");
  }

  /** Whether {@code flink run} has started this process, and sends the job to its own cluster. */
  static boolean isFlinkRun() {
    return environment() instanceof StreamContextEnvironment;
  }

  /** Whether {@code flink run} has, and does not wait for the job's end. */
  static boolean isFlinkRunDetached() {
    return isFlinkRun() && !environment().getConfiguration().get(DeploymentOptions.ATTACHED);
  }

  /**
   * Whether this process is the JobManager of this one job, and calls the command again whenever it
   * starts again.
   */
  static boolean isApplication() {
    return isFlinkRun()
        && EmbeddedExecutor.NAME.equals(
            environment().getConfiguration().get(DeploymentOptions.TARGET));
  }

  /** What {@code flink run} was told to start from; null if nothing. */
  static @Nullable String savepoint() {
    return environment().getConfiguration().get(SavepointConfigOptions.SAVEPOINT_PATH);
  }

  private static StreamExecutionEnvironment environment() {
    return StreamExecutionEnvironment.getExecutionEnvironment();
  }

  /**
   * Looks whether the cluster is there and of the version that jobs are built for.
   *
   * @throws UsageException if not
   */
  static void check(String master) throws UsageException {
    String wanted = minor(EnvironmentInformation.getVersion());
    String version = version(master);
    if (!minor(version).equals(wanted)) {
      throw new UsageException(
          "--flinkMaster="
              + master
              + ": the cluster is Flink "
              + version
              + "; allowed: Flink "
              + wanted);
    }
  }

  private static String version(String master) throws UsageException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + master + "/config"))
              .timeout(PATIENCE)
              .build();
      String answer =
          HttpClient.newBuilder()
              .connectTimeout(PATIENCE)
              .build()
              .send(request, BodyHandlers.ofString())
              .body();
      return JSON.readTree(answer).path("flink-version").asText();
    } catch (IOException | IllegalArgumentException e) {
      throw new UsageException(
          "--flinkMaster="
              + master
              + ": no Flink JobManager answers there; allowed: HOST:PORT of its REST address");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UsageException("interrupted while asking " + master + " for its version");
    }
  }

  private static String minor(String version) {
    return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
  }
}
