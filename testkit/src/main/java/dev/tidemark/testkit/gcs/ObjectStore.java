package dev.tidemark.testkit.gcs;

import com.google.api.client.util.DateTime;
import com.google.api.services.storage.model.Bucket;
import com.google.api.services.storage.model.StorageObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The buckets and their live objects. Each method is one atomic step, so of several writers with
 * the same precondition one wins.
 */
final class ObjectStore {
  /** Names are listed by their UTF-8 bytes. */
  static final Comparator<String> BY_UTF_8 =
      Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

  private record Contents(Bucket resource, SortedMap<String, StoredObject> objects) {}

  private final Map<String, Contents> buckets = new HashMap<>();
  private long lastGeneration;

  synchronized Bucket createBucket(Bucket given) {
    String name = given.getName();
    if (name == null) {
      throw Refusal.invalid("A bucket needs a name");
    }
    if (buckets.containsKey(name)) {
      throw Refusal.conflict("The bucket exists already: " + name);
    }
    Bucket bucket =
        given
            .clone()
            .setKind("storage#bucket")
            .setId(name)
            .setProjectNumber(BigInteger.ONE)
            .setMetageneration(1L)
            .setLocation("US")
            .setStorageClass("STANDARD")
            .setTimeCreated(new DateTime(System.currentTimeMillis()));
    buckets.put(name, new Contents(bucket, new TreeMap<>(BY_UTF_8)));
    return bucket;
  }

  synchronized Bucket bucket(String name) {
    return contents(name).resource;
  }

  synchronized void deleteBucket(String name) {
    if (!contents(name).objects.isEmpty()) {
      throw Refusal.conflict("The bucket is not empty: " + name);
    }
    buckets.remove(name);
  }

  /**
   * @param generation the only generation that will do; null for the live one
   */
  synchronized StoredObject get(
      String bucket, String name, @Nullable Long generation, Preconditions preconditions) {
    StoredObject live = contents(bucket).objects.get(name);
    if (live == null || (generation != null && generation != live.generation())) {
      throw Refusal.notFound("object: " + bucket + "/" + name);
    }
    preconditions.check(live);
    return live;
  }

  /** Refuses what {@link #put} would refuse now. */
  synchronized void checkPut(String bucket, String name, Preconditions preconditions) {
    preconditions.check(contents(bucket).objects.get(name));
  }

  synchronized StoredObject put(
      String bucket,
      String name,
      StorageObject given,
      byte[] content,
      Preconditions preconditions) {
    checkPut(bucket, name, preconditions);
    StoredObject object = StoredObject.of(bucket, name, ++lastGeneration, given, content);
    contents(bucket).objects.put(name, object);
    return object;
  }

  synchronized StoredObject patch(
      String bucket, String name, StorageObject fields, Preconditions preconditions) {
    StoredObject patched = get(bucket, name, null, preconditions).patched(fields);
    contents(bucket).objects.put(name, patched);
    return patched;
  }

  synchronized void delete(
      String bucket, String name, @Nullable Long generation, Preconditions preconditions) {
    get(bucket, name, generation, preconditions);
    contents(bucket).objects.remove(name);
  }

  /** The objects in the order of their names. */
  synchronized List<StoredObject> list(String bucket) {
    return List.copyOf(contents(bucket).objects.values());
  }

  private Contents contents(String bucket) {
    Contents contents = buckets.get(bucket);
    if (contents == null) {
      throw Refusal.notFound("bucket: " + bucket);
    }
    return contents;
  }
}
