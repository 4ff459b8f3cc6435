package dev.tidemark.testkit.gcs;

import com.google.api.services.storage.model.Bucket;
import com.google.api.services.storage.model.StorageObject;
import com.sun.net.httpserver.HttpExchange;
import dev.tidemark.testkit.http.LoopbackServer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.gcp.auth.NoopCredentialFactory;
import org.apache.beam.sdk.extensions.gcp.options.GcsOptions;
import org.apache.beam.sdk.extensions.gcp.util.gcsfs.GcsPath;
import org.apache.beam.sdk.options.PipelineOptions;
import org.jspecify.annotations.Nullable;

/**
 * Cloud Storage in this process, for tests: a server of the JSON API on a free port of the loopback
 * interface. Beam's {@code gs://} filesystem, unmodified, talks to it once its options are set
 * ({@link #configure}, {@link #arguments}). The buckets are in memory and gone with the server. It
 * asks for no credentials.
 *
 * <p>It makes calls go wrong ({@link #inject}) and tells what it was asked ({@link #calls}).
 *
 * <p>It has the live generation of an object only, and no access control. It refuses a call that it
 * does not know with status 400 and says so.
 */
public final class GcsServer implements AutoCloseable {
  private static final String PROJECT = "tidemark-test";

  /** Small: each of Beam's writers holds one chunk in memory, by default of 64 MiB. */
  private static final int UPLOAD_CHUNK_BYTES = 1 << 20;

  private final ObjectStore store = new ObjectStore();
  private final StorageApi api = new StorageApi(store);
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final LoopbackServer http;
  private volatile List<Faults.Source> faults = List.of();

  private GcsServer() {
    http = LoopbackServer.start(this::serve);
  }

  /** A running server without buckets. */
  public static GcsServer start() {
    return new GcsServer();
  }

  /** The URL for {@code --gcsEndpoint}. */
  public String endpoint() {
    return http.url() + "/storage/v1/";
  }

  /** Makes the {@code gs://} filesystem of these options talk to this server. */
  public void configure(PipelineOptions options) {
    GcsOptions gcs = options.as(GcsOptions.class);
    gcs.setGcsEndpoint(endpoint());
    gcs.setCredentialFactoryClass(NoopCredentialFactory.class);
    gcs.setProject(PROJECT);
    gcs.setGcsUploadBufferSizeBytes(UPLOAD_CHUNK_BYTES);
  }

  /** The same as {@link #configure}, for a command line. */
  public List<String> arguments() {
    return List.of(
        "--gcsEndpoint=" + endpoint(),
        "--credentialFactoryClass=" + NoopCredentialFactory.class.getName(),
        "--project=" + PROJECT,
        "--gcsUploadBufferSizeBytes=" + UPLOAD_CHUNK_BYTES);
  }

  /**
   * From now on these calls go wrong, and those of an earlier injection no more. Of several faults
   * for one call it gets the first.
   */
  public void inject(Faults... faults) {
    this.faults = Stream.of(faults).map(Faults.Source::new).toList();
  }

  /** What the server was asked so far, in the order of its answers. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  public void createBucket(String name) {
    store.createBucket(new Bucket().setName(name));
  }

  /**
   * The names of the objects in a bucket, in the order of their UTF-8 bytes.
   *
   * @throws RuntimeException if there is no such bucket
   */
  public List<String> objects(String bucket) {
    return store.list(bucket).stream().map(StoredObject::name).toList();
  }

  /**
   * Writes an object.
   *
   * @param path {@code gs://BUCKET/OBJECT}
   * @throws RuntimeException if there is no such bucket
   */
  public void put(String path, byte[] content) {
    GcsPath gcs = GcsPath.fromUri(path);
    store.put(
        gcs.getBucket(), gcs.getObject(), new StorageObject(), content.clone(), Preconditions.NONE);
  }

  /**
   * The bytes of an object.
   *
   * @param path {@code gs://BUCKET/OBJECT}
   * @throws RuntimeException if there is no such object
   */
  public byte[] content(String path) {
    GcsPath gcs = GcsPath.fromUri(path);
    return store.get(gcs.getBucket(), gcs.getObject(), null, Preconditions.NONE).content().clone();
  }

  @Override
  public void close() {
    http.close();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request =
          Request.of(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              exchange.getRequestHeaders(),
              exchange.getRequestBody().readAllBytes());
      Fault fault = fault(request, false);
      deliver(exchange, logged(request, fault), fault);
    }
  }

  private @Nullable Fault fault(Request request, boolean isPart) {
    for (Faults.Source source : faults) {
      Fault fault = source.next(request, isPart);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private Response logged(Request request, @Nullable Fault fault) {
    Response response = answer(request, fault);
    calls.add(
        new Call(request.method(), request.path(), request.query(), fault, response.status()));
    return response;
  }

  private Response answer(Request request, @Nullable Fault fault) {
    if (fault == Fault.CONNECTION_RESET) {
      return Response.empty(0);
    }
    if (fault != null && fault.isStatus()) {
      return fault.response();
    }
    try {
      return BatchRequest.is(request)
          ? BatchRequest.answer(request, part -> logged(part, fault(part, true)))
          : api.answer(request);
    } catch (Refusal refusal) {
      return refusal.response();
    } catch (RuntimeException e) {
      // Left to the HTTP server, it would look like a connection that broke.
      return Refusal.invalid(e.toString()).response();
    }
  }

  /** An exchange that is closed before its answer is complete closes the connection. */
  private static void deliver(HttpExchange exchange, Response response, @Nullable Fault fault)
      throws IOException {
    byte[] body = response.body();
    boolean isTruncated = fault == Fault.TRUNCATED_BODY;
    if (fault == Fault.CONNECTION_RESET
        || fault == Fault.LOST_RESPONSE
        || (isTruncated && body.length == 0)) {
      return;
    }
    exchange.getResponseHeaders().putAll(response.headers());
    exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body, 0, isTruncated ? body.length / 2 : body.length);
      exchange.getResponseBody().flush();
    }
  }
}
