package dev.tidemark.testkit.gcs;

import com.google.api.services.storage.model.Bucket;
import com.google.api.services.storage.model.ComposeRequest;
import com.google.api.services.storage.model.ComposeRequest.SourceObjects;
import com.google.api.services.storage.model.ComposeRequest.SourceObjects.ObjectPreconditions;
import com.google.api.services.storage.model.RewriteResponse;
import com.google.api.services.storage.model.StorageObject;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of the JSON API, version 1.
 *
 * @see <a href="https://cloud.google.com/storage/docs/json_api/v1">The JSON API</a>
 */
final class StorageApi {
  private static final Pattern PATH = Pattern.compile("(/upload|/download)?/storage/v1/(.+)");
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");

  /** Where names stand in a path such as {@code b/BUCKET/o/OBJECT/copyTo/b/BUCKET/o/OBJECT}. */
  private static final Set<Integer> NAMES = Set.of(1, 3, 6, 8);

  /** To rewrite more takes several calls. */
  private static final long REWRITTEN_PER_CALL = 8 << 20;

  private final ObjectStore store;
  private final Uploads uploads;

  StorageApi(ObjectStore store) {
    this.store = store;
    this.uploads = new Uploads(store);
  }

  Response answer(Request request) {
    Matcher path = PATH.matcher(request.path());
    if (!path.matches()) {
      throw notServed(request);
    }
    List<String> segments = Request.decodedSegments(path.group(2));
    String bucket = segments.size() > 1 ? segments.get(1) : "";
    String name = segments.size() > 3 ? segments.get(3) : "";
    String service = "/upload".equals(path.group(1)) ? " upload " : " ";
    return switch (request.method() + service + shape(segments)) {
      case "POST b" -> Response.json(200, store.createBucket(request.json(Bucket.class)));
      case "GET b/*" -> Response.json(200, store.bucket(bucket));
      case "DELETE b/*" -> deleteBucket(bucket);
      case "GET b/*/o" -> Response.json(200, new Listing(request).page(store.list(bucket)));
      case "GET b/*/o/*" -> get(bucket, name, request);
      case "PATCH b/*/o/*" -> patch(bucket, name, request);
      case "DELETE b/*/o/*" -> delete(bucket, name, request);
      case "POST b/*/o/*/compose" -> compose(bucket, name, request);
      case "POST b/*/o/*/copyTo/b/*/o/*" -> copy(segments, request);
      case "POST b/*/o/*/rewriteTo/b/*/o/*" -> rewrite(segments, request);
      case "POST upload b/*/o" -> uploads.insert(bucket, request);
      case "PUT upload b/*/o" -> uploads.resume(request);
      default -> throw notServed(request);
    };
  }

  private static String shape(List<String> segments) {
    String[] shape = segments.toArray(String[]::new);
    for (int i = 0; i < shape.length; i++) {
      shape[i] = NAMES.contains(i) ? "*" : shape[i];
    }
    return String.join("/", shape);
  }

  private static Refusal notServed(Request request) {
    return Refusal.invalid("Not served: " + request.method() + " " + request.path());
  }

  private Response deleteBucket(String bucket) {
    store.deleteBucket(bucket);
    return Response.empty(204);
  }

  private Response get(String bucket, String name, Request request) {
    StoredObject object = store.get(bucket, name, request.number("generation"), Preconditions.NONE);
    Preconditions preconditions = Preconditions.of(request);
    if (preconditions.hasAlready(object)) {
      return Response.empty(304);
    }
    preconditions.check(object);
    return request.parameter("alt", "json").equals("media")
        ? media(object, request.header("Range", ""))
        : Response.json(200, object.resource());
  }

  private static Response media(StoredObject object, String range) {
    byte[] content = object.content();
    Matcher matcher = RANGE.matcher(range);
    if (!matcher.matches()) {
      return media(200, object, content);
    }
    int size = content.length;
    long start = Long.parseLong(matcher.group(1));
    if (start >= size) {
      throw new Refusal(416, "requestedRangeNotSatisfiable", "No such range: " + range);
    }
    String last = matcher.group(2);
    long end = last.isEmpty() ? size : Math.min(size, Long.parseLong(last) + 1);
    return media(206, object, Arrays.copyOfRange(content, (int) start, (int) end))
        .with("Content-Range", "bytes " + start + "-" + (end - 1) + "/" + size);
  }

  private static Response media(int status, StoredObject object, byte[] body) {
    return Response.of(status, object.resource().getContentType(), body)
        .with("X-Goog-Generation", String.valueOf(object.generation()))
        .with("X-Goog-Metageneration", String.valueOf(object.metageneration()))
        .with("X-Goog-Stored-Content-Length", String.valueOf(object.content().length))
        .with("X-Goog-Hash", "crc32c=" + object.resource().getCrc32c());
  }

  private Response patch(String bucket, String name, Request request) {
    StorageObject fields = request.json(StorageObject.class);
    return Response.json(
        200, store.patch(bucket, name, fields, Preconditions.of(request)).resource());
  }

  private Response delete(String bucket, String name, Request request) {
    store.delete(bucket, name, request.number("generation"), Preconditions.of(request));
    return Response.empty(204);
  }

  private Response compose(String bucket, String name, Request request) {
    ComposeRequest compose = request.json(ComposeRequest.class);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (SourceObjects source : compose.getSourceObjects()) {
      content.writeBytes(component(bucket, source).content());
    }
    StorageObject fields =
        compose.getDestination() == null ? new StorageObject() : compose.getDestination();
    fields.setComponentCount(compose.getSourceObjects().size());
    return Response.json(
        200,
        store
            .put(bucket, name, fields, content.toByteArray(), Preconditions.of(request))
            .resource());
  }

  private StoredObject component(String bucket, SourceObjects source) {
    ObjectPreconditions given = source.getObjectPreconditions();
    Long generation = given == null ? null : given.getIfGenerationMatch();
    Preconditions preconditions = new Preconditions(generation, null, null, null);
    return store.get(bucket, source.getName(), source.getGeneration(), preconditions);
  }

  private Response copy(List<String> segments, Request request) {
    return Response.json(200, copied(source(segments, request), segments, request).resource());
  }

  /** A call with a token goes on where the call that gave it stopped. */
  private Response rewrite(List<String> segments, Request request) {
    StoredObject source = source(segments, request);
    long size = source.content().length;
    Long asked = request.number("maxBytesRewrittenPerCall");
    long before = rewrittenBefore(request.parameter("rewriteToken", ""), source);
    long rewritten = Math.min(size, before + (asked == null ? REWRITTEN_PER_CALL : asked));
    RewriteResponse response =
        new RewriteResponse()
            .setKind("storage#rewriteResponse")
            .setObjectSize(size)
            .setTotalBytesRewritten(rewritten)
            .setDone(rewritten == size);
    if (rewritten == size) {
      response.setResource(copied(source, segments, request).resource());
    } else {
      response.setRewriteToken(source.generation() + "-" + rewritten);
    }
    return Response.json(200, response);
  }

  private static long rewrittenBefore(String token, StoredObject source) {
    if (token.isEmpty()) {
      return 0;
    }
    String start = source.generation() + "-";
    if (!token.startsWith(start)) {
      throw Refusal.invalid("The rewriteToken is of another source: " + token);
    }
    return Long.parseLong(token.substring(start.length()));
  }

  private StoredObject source(List<String> segments, Request request) {
    return store.get(
        segments.get(1),
        segments.get(3),
        request.number("sourceGeneration"),
        Preconditions.ofSource(request));
  }

  private StoredObject copied(StoredObject source, List<String> segments, Request request) {
    StorageObject fields =
        request.body().length == 0 ? source.givenFields() : request.json(StorageObject.class);
    return store.put(
        segments.get(6), segments.get(8), fields, source.content(), Preconditions.of(request));
  }
}
