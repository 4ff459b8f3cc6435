package dev.tidemark.testkit.gcs;

import com.google.api.services.storage.model.StorageObject;
import dev.tidemark.testkit.gcs.Multipart.Message;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The three ways to write an object: its bytes alone ({@code uploadType=media}), its fields and its
 * bytes in one body ({@code multipart}), and in chunks that can be resumed ({@code resumable}).
 */
final class Uploads {

  /** A chunk of an upload whose size is not known yet is a multiple of this. */
  private static final int CHUNK_UNIT = 256 * 1024;

  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d+)-(\\d+)|\\*)/(\\d+|\\*)");

  private final ObjectStore store;
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final AtomicInteger lastSession = new AtomicInteger();

  Uploads(ObjectStore store) {
    this.store = store;
  }

  /** Writes the object, or begins a resumable upload of it. */
  Response insert(String bucket, Request request) {
    String type = request.parameter("uploadType", "");
    return switch (type) {
      case "media" -> media(bucket, request);
      case "multipart" -> multipart(bucket, request);
      case "resumable" -> begin(bucket, request);
      default -> throw Refusal.invalid("uploadType is media, multipart or resumable, not: " + type);
    };
  }

  /** Takes a chunk of a resumable upload, or tells how much of it has arrived. */
  Response resume(Request request) {
    Session session = sessions.get(request.parameter("upload_id", ""));
    if (session == null) {
      throw Refusal.notFound("upload: " + request.query());
    }
    return session.take(request);
  }

  private Response media(String bucket, Request request) {
    StorageObject fields = new StorageObject();
    setTypeIfAbsent(fields, request.headers().getFirst("Content-Type"));
    return put(bucket, fields, request.body(), request);
  }

  private Response multipart(String bucket, Request request) {
    List<Message> parts = Multipart.parts(request);
    if (parts.size() != 2) {
      throw Refusal.invalid("A multipart upload has 2 parts, not " + parts.size());
    }
    Message media = parts.get(1);
    StorageObject fields = Request.json(parts.get(0).body(), StorageObject.class);
    setTypeIfAbsent(fields, media.headers().getFirst("Content-Type"));
    return put(bucket, fields, media.body(), request);
  }

  private Response put(String bucket, StorageObject fields, byte[] content, Request request) {
    StoredObject object =
        store.put(bucket, name(fields, request), fields, content, Preconditions.of(request));
    return Response.json(200, object.resource());
  }

  private Response begin(String bucket, Request request) {
    StorageObject fields = request.json(StorageObject.class);
    setTypeIfAbsent(fields, request.headers().getFirst("X-Upload-Content-Type"));
    Session session = new Session(bucket, name(fields, request), fields, Preconditions.of(request));
    store.checkPut(session.bucket, session.name, session.preconditions);
    String id = "upload-" + lastSession.incrementAndGet();
    sessions.put(id, session);
    String query = request.query() + "&upload_id=" + id;
    return Response.empty(200)
        .with("X-GUploader-UploadID", id)
        .with("Location", "http://" + request.header("Host", "") + request.path() + "?" + query);
  }

  private static String name(StorageObject fields, Request request) {
    String inFields = fields.getName();
    String name = request.parameter("name", inFields == null ? "" : inFields);
    if (name.isEmpty()) {
      throw Refusal.invalid("An object needs a name");
    }
    return name;
  }

  private static void setTypeIfAbsent(StorageObject fields, @Nullable String type) {
    if (fields.getContentType() == null) {
      fields.setContentType(type);
    }
  }

  /** A resumable upload. It outlives its end, for a client that lost the last answer. */
  private final class Session {
    private final String bucket;
    private final String name;
    private final StorageObject fields;
    private final Preconditions preconditions;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private @Nullable StoredObject written;

    Session(String bucket, String name, StorageObject fields, Preconditions preconditions) {
      this.bucket = bucket;
      this.name = name;
      this.fields = fields;
      this.preconditions = preconditions;
    }

    synchronized Response take(Request request) {
      if (written == null) {
        byte[] chunk = request.body();
        // Without a range the body is the whole object.
        String whole =
            chunk.length == 0 ? "bytes */0" : "bytes 0-" + (chunk.length - 1) + "/" + chunk.length;
        append(chunk, request.header("Content-Range", whole));
      }
      return written == null ? incomplete() : Response.json(200, written.resource());
    }

    private void append(byte[] chunk, String range) {
      Matcher matcher = CONTENT_RANGE.matcher(range);
      if (!matcher.matches()) {
        throw Refusal.invalid("Not a Content-Range: " + range);
      }
      String total = matcher.group(3);
      if (matcher.group(1) != null) {
        long start = Long.parseLong(matcher.group(1));
        long end = Long.parseLong(matcher.group(2)) + 1;
        boolean isUnit = !total.equals("*") || chunk.length % CHUNK_UNIT == 0;
        if (start > received.size() || end - start != chunk.length || !isUnit) {
          throw Refusal.invalid(
              range + " does not fit: sent " + chunk.length + ", have " + received.size());
        }
        int known = (int) Math.min(received.size() - start, chunk.length);
        received.write(chunk, known, chunk.length - known);
      }
      if (total.equals(String.valueOf(received.size()))) {
        written = store.put(bucket, name, fields, received.toByteArray(), preconditions);
        received.reset();
      }
    }

    private Response incomplete() {
      Response response = Response.empty(308);
      return received.size() == 0
          ? response
          : response.with("Range", "bytes=0-" + (received.size() - 1));
    }
  }
}
