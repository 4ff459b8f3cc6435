package dev.tidemark.testkit.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.greaterThan;

import dev.tidemark.testkit.PipelineExtension;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.testing.PAssert;
import org.apache.beam.sdk.testing.TestPipeline;
import org.apache.beam.sdk.transforms.Create;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Beam's own file transforms on a server whose calls go wrong. */
class GcsPipelineTest {
  private static final List<String> LINES =
      IntStream.range(0, 300).mapToObj(i -> "line " + i).toList();

  private final GcsServer server = GcsServer.start();

  @AfterEach
  void close() {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    server.close();
  }

  @Test
  void aFifthOfTheCallsMayFailAndNothingIsLost() {
    server.createBucket("bucket");
    server.inject(
        // Beam gives up on an answer in JSON that breaks off, but not on content that does.
        Faults.of(1).withRate(0.2).withKinds(Fault.TRUNCATED_BODY).withCalls("GET", "/download"),
        Faults.of(2)
            .withRate(0.2)
            .withKinds(
                Fault.TOO_MANY_REQUESTS,
                Fault.INTERNAL_ERROR,
                Fault.UNAVAILABLE,
                Fault.CONNECTION_RESET,
                Fault.LOST_RESPONSE,
                Fault.SLOW));
    write();
    read();
    assertThat(
        server.objects("bucket"),
        contains(
            "out/lines-00000-of-00004",
            "out/lines-00001-of-00004",
            "out/lines-00002-of-00004",
            "out/lines-00003-of-00004"));
    assertThat(
        server.objects("bucket").stream().flatMap(this::lines).toList(),
        containsInAnyOrder(LINES.toArray()));
    assertThat(faultyCalls(), greaterThan(3L));
  }

  private void write() {
    TestPipeline pipeline = pipeline();
    pipeline
        .apply("Lines", Create.of(LINES))
        .apply("Write", TextIO.write().to("gs://bucket/out/lines").withNumShards(4));
    pipeline.run().waitUntilFinish();
  }

  private void read() {
    TestPipeline pipeline = pipeline();
    PAssert.that(pipeline.apply("Read", TextIO.read().from("gs://bucket/out/**")))
        .containsInAnyOrder(LINES);
    pipeline.run().waitUntilFinish();
  }

  private TestPipeline pipeline() {
    TestPipeline pipeline = PipelineExtension.newPipeline();
    PipelineOptions options = pipeline.getOptions();
    server.configure(options);
    FileSystems.setDefaultPipelineOptions(options);
    return pipeline;
  }

  private Stream<String> lines(String name) {
    return new String(server.content("gs://bucket/" + name), UTF_8).lines();
  }

  private long faultyCalls() {
    return server.calls().stream().filter(call -> call.fault() != null).count();
  }
}
