package dev.tidemark.testkit.gcs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.services.storage.Storage;
import com.google.api.services.storage.model.Bucket;
import com.google.api.services.storage.model.ComposeRequest;
import com.google.api.services.storage.model.ComposeRequest.SourceObjects;
import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.RewriteResponse;
import com.google.api.services.storage.model.StorageObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.gcp.options.GcsOptions;
import org.apache.beam.sdk.extensions.gcp.util.Transport;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of the API that Beam's filesystem does not reach, by the client that Beam uses. */
class StorageApiTest {
  private static final String UPLOAD =
      "/upload/storage/v1/b/bucket/o?uploadType=resumable&name=object";

  private final GcsServer server = GcsServer.start();
  private final Http http = new Http(server);
  private final Storage storage = client();

  private Storage client() {
    GcsOptions options = PipelineOptionsFactory.as(GcsOptions.class);
    server.configure(options);
    return Transport.newStorageClient(options).build();
  }

  @BeforeEach
  void createBucket() {
    server.createBucket("bucket");
  }

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObjectSaysWhatItHolds(boolean direct) throws IOException {
    Storage.Objects.Insert insert =
        storage
            .objects()
            .insert(
                "bucket",
                new StorageObject().setName("object").setMetadata(Map.of("a", "b")),
                new ByteArrayContent("text/plain", "123456789".getBytes(UTF_8)));
    insert.getMediaHttpUploader().setDirectUploadEnabled(direct);
    insert.execute();
    StorageObject object = storage.objects().get("bucket", "object").execute();
    assertThat(object.getSize(), is(BigInteger.valueOf(9)));
    assertThat(object.getContentType(), is("text/plain"));
    assertThat(object.getMetadata(), is(Map.of("a", "b")));
    // The check values of the two functions for these nine digits.
    assertThat(object.getCrc32c(), is("4waSgw=="));
    assertThat(object.getMd5Hash(), is("JfnnlDI7RTiF9RgfG2JNCw=="));
    assertThat(object.getUpdated().getValue(), greaterThan(0L));
    assertThat(object.getGeneration(), greaterThan(0L));
    assertThat(object.getMetageneration(), is(1L));
  }

  @Test
  void aPatchKeepsTheGeneration() throws IOException {
    StorageObject before = put("object", "x");
    StorageObject after =
        storage
            .objects()
            .patch("bucket", "object", new StorageObject().setContentType("text/csv"))
            .execute();
    assertThat(after.getContentType(), is("text/csv"));
    assertThat(after.getGeneration(), is(before.getGeneration()));
    assertThat(after.getMetageneration(), is(2L));
    assertThat(after.getMd5Hash(), is(before.getMd5Hash()));
  }

  @Test
  void aDelimiterFoldsNamesIntoPrefixesOverPages() throws IOException {
    for (String name : List.of("d/a", "d/b/1", "d/b/2", "d/c", "d/e/", "e")) {
      put(name, "");
    }
    Storage.Objects.List list =
        storage.objects().list("bucket").setPrefix("d/").setDelimiter("/").setMaxResults(2L);
    Objects first = list.execute();
    assertThat(names(first), contains("d/a"));
    assertThat(first.getPrefixes(), contains("d/b/"));
    Objects second = list.setPageToken(first.getNextPageToken()).execute();
    assertThat(names(second), contains("d/c"));
    assertThat(second.getPrefixes(), contains("d/e/"));
    assertThat(second.getNextPageToken(), nullValue());
  }

  @Test
  void aComposedObjectIsItsSourcesInOrder() throws IOException {
    put("a", "1");
    put("b", "2");
    ComposeRequest compose =
        new ComposeRequest()
            .setSourceObjects(
                List.of(
                    new SourceObjects().setName("b"),
                    new SourceObjects().setName("a"),
                    new SourceObjects().setName("b")));
    StorageObject composed = storage.objects().compose("bucket", "c", compose).execute();
    assertThat(text("c"), is("212"));
    assertThat(composed.getComponentCount(), is(3));
    assertThat(composed.getMd5Hash(), nullValue());
  }

  @Test
  void aCopyTakesOverTheFields() throws IOException {
    put("a", "1");
    StorageObject copy = storage.objects().copy("bucket", "a", "bucket", "b", null).execute();
    assertThat(text("b"), is("1"));
    assertThat(copy.getContentType(), is("text/plain"));
  }

  @Test
  void aRewriteGoesOnWithItsTokenAndCanRepeatACall() throws IOException {
    put("a", "x".repeat(2_500_000));
    Storage.Objects.Rewrite rewrite =
        storage
            .objects()
            .rewrite("bucket", "a", "bucket", "b", null)
            .setMaxBytesRewrittenPerCall(1_000_000L);
    RewriteResponse first = rewrite.execute();
    assertThat(first.getDone(), is(false));
    assertThat(server.objects("bucket"), contains("a"));
    rewrite.setRewriteToken(first.getRewriteToken());
    RewriteResponse second = rewrite.execute();
    assertThat(rewrite.execute().getTotalBytesRewritten(), is(second.getTotalBytesRewritten()));
    rewrite.setRewriteToken(second.getRewriteToken());
    assertThat(rewrite.execute().getDone(), is(true));
    assertThat(text("b").length(), is(2_500_000));
  }

  @ParameterizedTest
  @CsvSource({
    "object,  ifGenerationMatch=0, 412",
    "object,  ifGenerationMatch=1, 200",
    "object,  ifGenerationMatch=2, 412",
    "object,  ifGenerationNotMatch=0, 200",
    "object,  ifGenerationNotMatch=1, 412",
    "object,  ifMetagenerationMatch=1, 200",
    "object,  ifMetagenerationMatch=2, 412",
    "missing, ifGenerationMatch=0, 200",
    "missing, ifGenerationMatch=1, 412",
    "missing, ifGenerationNotMatch=0, 412",
  })
  void aPreconditionDecidesOverAWrite(String name, String condition, int status) throws Exception {
    put("object", "x");
    String query = "name=" + name + "&" + condition;
    String media = "/upload/storage/v1/b/bucket/o?uploadType=media&" + query;
    assertThat(http.send("POST", media, "y").statusCode(), is(status));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    ifGenerationMatch=1, 200",
    "GET,    ifGenerationMatch=2, 412",
    "GET,    ifGenerationNotMatch=1, 304",
    "GET,    generation=1, 200",
    "GET,    generation=2, 404",
    "PATCH,  ifMetagenerationMatch=2, 412",
    "DELETE, ifGenerationMatch=1, 204",
    "DELETE, ifGenerationMatch=2, 412",
    "DELETE, generation=2, 404",
  })
  void aPreconditionDecidesOverACall(String method, String condition, int status) throws Exception {
    put("object", "x");
    String path = "/storage/v1/b/bucket/o/object?" + condition;
    assertThat(http.send(method, path, "").statusCode(), is(status));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-,   206, bytes 0-9/10, 0123456789",
    "bytes=2-4,  206, bytes 2-4/10, 234",
    "bytes=8-99, 206, bytes 8-9/10, 89",
  })
  void aRangeIsServed(String range, int status, String contentRange, String body) throws Exception {
    put("object", "0123456789");
    String path = "/download/storage/v1/b/bucket/o/object?alt=media";
    HttpResponse<String> response = http.send("GET", path, "", "Range", range);
    assertThat(response.statusCode(), is(status));
    assertThat(response.headers().firstValue("Content-Range").orElse(""), is(contentRange));
    assertThat(response.body(), is(body));
    assertThat(http.send("GET", path, "", "Range", "bytes=10-").statusCode(), is(416));
  }

  @Test
  void aPlusSignInAPathIsItself() throws Exception {
    put("a+b", "x");
    assertThat(http.send("GET", "/storage/v1/b/bucket/o/a+b", "").statusCode(), is(200));
  }

  @Test
  void aResumableUploadTellsWhatHasArrivedAndTakesAChunkTwice() throws Exception {
    String chunk = "x".repeat(256 * 1024);
    String session = begin();
    assertThat(resume(session, "", "bytes */*").headers().firstValue("Range").isEmpty(), is(true));
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> response = resume(session, chunk, "bytes 0-262143/*");
      assertThat(response.statusCode(), is(308));
      assertThat(response.headers().firstValue("Range").orElse(""), is("bytes=0-262143"));
    }
    for (int i = 0; i < 2; i++) {
      assertThat(resume(session, "y", "bytes 262144-262144/262145").statusCode(), is(200));
    }
    assertThat(resume(session, "", "bytes */262145").statusCode(), is(200));
    assertThat(text("object"), is(chunk + "y"));
    assertThat(storage.objects().get("bucket", "object").execute().getGeneration(), is(1L));
  }

  @ParameterizedTest
  @CsvSource({
    "bytes 1-3/*, abc",
    "bytes 0-3/*, abc",
    "bytes 0-2/*, abc",
    "bytes 5-7/8, abc",
    "nonsense,    abc",
  })
  void aChunkThatDoesNotFitIsRefused(String range, String chunk) throws Exception {
    assertThat(resume(begin(), chunk, range).statusCode(), is(400));
  }

  @Test
  void aPreconditionIsJudgedWhenTheUploadEnds() throws Exception {
    String session =
        http.send("POST", UPLOAD + "&ifGenerationMatch=0", "")
            .headers()
            .firstValue("Location")
            .orElseThrow();
    put("object", "first");
    assertThat(resume(session, "x", "bytes 0-0/1").statusCode(), is(412));
    assertThat(text("object"), is("first"));
  }

  @Test
  void bucketsComeAndGo() throws IOException {
    storage.buckets().insert("project", new Bucket().setName("new")).execute();
    assertThat(storage.buckets().get("new").execute().getName(), is("new"));
    assertThat(
        status(() -> storage.buckets().insert("p", new Bucket().setName("new")).execute()),
        is(409));
    put("object", "x");
    assertThat(status(() -> storage.buckets().delete("bucket").execute()), is(409));
    storage.buckets().delete("new").execute();
    assertThat(status(() -> storage.buckets().get("new").execute()), is(404));
  }

  @Test
  void anErrorSaysItsReason() {
    GoogleJsonResponseException missing =
        assertThrows(
            GoogleJsonResponseException.class,
            () -> storage.objects().get("bucket", "none").execute());
    assertThat(missing.getDetails().getCode(), is(404));
    assertThat(missing.getDetails().getErrors().get(0).getReason(), is("notFound"));
    assertThat(missing.getDetails().getMessage(), is("No such object: bucket/none"));
  }

  @ParameterizedTest
  @CsvSource({
    "GET,  /storage/v1/b/bucket/acl, Not served: GET /storage/v1/b/bucket/acl",
    "GET,  /else, Not served: GET /else",
    "POST, /upload/storage/v1/b/bucket/o?uploadType=x, 'uploadType is media, multipart or'",
    "POST, /upload/storage/v1/b/bucket/o?uploadType=media, An object needs a name",
    "POST, /storage/v1/b, A bucket needs a name",
    "POST, /batch/storage/v1, A multipart body needs a boundary",
    "GET,  /storage/v1/b/bucket/o?maxResults=x, maxResults is not a whole number: x",
  })
  void aWrongCallIsToldWhatIsWrong(String method, String path, String message) throws Exception {
    HttpResponse<String> response = http.send(method, path, "");
    assertThat(response.statusCode(), is(400));
    assertThat(response.body(), containsString(message));
  }

  private interface Call {
    void execute() throws IOException;
  }

  private static int status(Call call) {
    return assertThrows(GoogleJsonResponseException.class, call::execute).getStatusCode();
  }

  private StorageObject put(String name, String text) throws IOException {
    ByteArrayContent content = new ByteArrayContent("text/plain", text.getBytes(UTF_8));
    return storage.objects().insert("bucket", null, content).setName(name).execute();
  }

  private String text(String name) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    storage.objects().get("bucket", name).executeMediaAndDownloadTo(out);
    return out.toString(UTF_8);
  }

  private static List<String> names(Objects page) {
    return page.getItems().stream().map(StorageObject::getName).toList();
  }

  private String begin() throws Exception {
    return http.send("POST", UPLOAD, "").headers().firstValue("Location").orElseThrow();
  }

  private HttpResponse<String> resume(String session, String chunk, String range) throws Exception {
    return http.send("PUT", session, chunk, "Content-Range", range);
  }
}
