package dev.tidemark.testkit.gcs;

import static dev.tidemark.testkit.gcs.GcsFiles.resources;
import static dev.tidemark.testkit.gcs.GcsFiles.write;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.both;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** What a fault does to a call, and what Beam's filesystem makes of it. */
class FaultsTest {
  private final GcsServer server = GcsServer.start();
  private final Http http = new Http(server);

  @BeforeEach
  void useServer() {
    String[] arguments = server.arguments().toArray(String[]::new);
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.fromArgs(arguments).create());
    server.createBucket("bucket");
  }

  @AfterEach
  void close() {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"TOO_MANY_REQUESTS, 429", "INTERNAL_ERROR, 500", "UNAVAILABLE, 503"})
  void anErrorStatusComesInsteadOfTheChange(Fault fault, int status) throws Exception {
    server.inject(Faults.once(fault));
    assertThat(insert().statusCode(), is(status));
    assertThat(server.objects("bucket"), empty());
    assertThat(server.calls(), contains(call(fault, status)));
  }

  @Test
  void aResetComesBeforeTheChange() {
    server.inject(Faults.once(Fault.CONNECTION_RESET));
    assertThrows(IOException.class, this::insert);
    assertThat(server.objects("bucket"), empty());
    assertThat(server.calls(), contains(call(Fault.CONNECTION_RESET, 0)));
  }

  @ParameterizedTest
  @EnumSource(names = {"LOST_RESPONSE", "TRUNCATED_BODY"})
  void aBrokenAnswerComesAfterTheChange(Fault fault) {
    server.inject(Faults.once(fault));
    assertThrows(IOException.class, this::insert);
    assertThat(server.objects("bucket"), contains("object"));
    assertThat(server.calls(), contains(call(fault, 200)));
  }

  @Test
  void aSlowCallIsDone() throws Exception {
    server.inject(Faults.once(Fault.SLOW));
    assertThat(insert().statusCode(), is(200));
    assertThat(server.objects("bucket"), contains("object"));
  }

  @Test
  void onlyTheCallsThatAreNamedGoWrong() throws Exception {
    server.inject(Faults.once(Fault.UNAVAILABLE).withCalls("POST", "/o/other"));
    assertThat(insert().statusCode(), is(200));
    server.inject(Faults.once(Fault.UNAVAILABLE).withCalls("GET", "/o"));
    assertThat(insert().statusCode(), is(200));
    server.inject(Faults.once(Fault.UNAVAILABLE).withCalls("POST", "/o"));
    assertThat(insert().statusCode(), is(503));
  }

  @Test
  void aSeedFixesWhichCallsGoWrong() throws Exception {
    List<@Nullable Fault> first = faultsOfCalls(Faults.of(7).withRate(0.2));
    assertThat(faultsOfCalls(Faults.of(7).withRate(0.2)), equalTo(first));
    assertThat(faultsOfCalls(Faults.of(8).withRate(0.2)), not(equalTo(first)));
    long faulty = first.stream().filter(fault -> fault != null).count();
    assertThat(faulty, both(greaterThan(20L)).and(lessThan(60L)));
  }

  @Test
  void noMoreThanTheLimitGoWrong() throws Exception {
    List<@Nullable Fault> faults = faultsOfCalls(Faults.of(7).withRate(1).withLimit(3));
    assertThat(faults.subList(0, 3), not(hasItem(nullValue())));
    assertThat(faults.subList(3, faults.size()), everyItem(nullValue()));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void aRateOutsideOfZeroToOneIsRefused(double rate) {
    assertThrows(IllegalArgumentException.class, () -> Faults.of(0).withRate(rate));
  }

  /** The last call of an upload is the one whose loss could double or lose the object. */
  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "TRUNCATED_BODY")
  void anUploadSurvives(Fault fault) throws IOException {
    server.inject(Faults.once(fault).withCalls("PUT", "/upload"));
    write("gs://bucket/object", "x".getBytes(UTF_8));
    assertThat(new String(server.content("gs://bucket/object"), UTF_8), is("x"));
    assertThat(faultyCalls(), contains(fault));
  }

  @Test
  void anUploadIsWrittenThoughItsTruncatedAnswerFailsIt() {
    server.inject(Faults.once(Fault.TRUNCATED_BODY).withCalls("PUT", "/upload"));
    Exception failure =
        assertThrows(IOException.class, () -> write("gs://bucket/object", new byte[1]));
    assertThat(failure.getMessage(), containsString("closed prematurely"));
    assertThat(server.objects("bucket"), contains("object"));
  }

  @ParameterizedTest
  @EnumSource(names = {"UNAVAILABLE", "LOST_RESPONSE"})
  void aBatchSurvives(Fault fault) throws IOException {
    server.put("gs://bucket/a", new byte[1]);
    server.inject(Faults.once(fault).withCalls("POST", "/batch"));
    FileSystems.rename(resources("gs://bucket/a"), resources("gs://bucket/b"));
    assertThat(server.objects("bucket"), contains("b"));
    assertThat(faultyCalls(), contains(fault));
  }

  @Test
  void aPartOfABatchCanFailAlone() throws IOException {
    server.put("gs://bucket/a", new byte[1]);
    server.put("gs://bucket/b", new byte[1]);
    server.inject(Faults.once(Fault.UNAVAILABLE).withCalls("DELETE", "/o/b"));
    FileSystems.delete(resources("gs://bucket/a", "gs://bucket/b"));
    assertThat(server.objects("bucket"), empty());
    assertThat(
        server.calls().stream().map(Call::status).toList(), contains(204, 503, 200, 204, 200));
  }

  private HttpResponse<String> insert() throws IOException, InterruptedException {
    return http.send("POST", "/upload/storage/v1/b/bucket/o?uploadType=media&name=object", "x");
  }

  private static Call call(Fault fault, int status) {
    return new Call(
        "POST", "/upload/storage/v1/b/bucket/o", "uploadType=media&name=object", fault, status);
  }

  private List<@Nullable Fault> faultsOfCalls(Faults faults) throws Exception {
    server.inject(faults.withKinds(Fault.UNAVAILABLE, Fault.INTERNAL_ERROR));
    int before = server.calls().size();
    for (int i = 0; i < 200; i++) {
      http.send("GET", "/storage/v1/b/bucket", "");
    }
    List<@Nullable Fault> result = new ArrayList<>();
    for (Call call : server.calls().subList(before, before + 200)) {
      result.add(call.fault());
    }
    return result;
  }

  private List<@Nullable Fault> faultyCalls() {
    List<@Nullable Fault> result = new ArrayList<>();
    for (Call call : server.calls()) {
      if (call.fault() != null) {
        result.add(call.fault());
      }
    }
    return result;
  }
}
