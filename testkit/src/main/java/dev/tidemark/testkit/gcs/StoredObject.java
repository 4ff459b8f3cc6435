package dev.tidemark.testkit.gcs;

import com.google.api.client.util.DateTime;
import com.google.api.services.storage.model.StorageObject;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One generation of an object. It never changes.
 *
 * @param resource what the API says of it; callers do not change it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record StoredObject(StorageObject resource, byte[] content) {
  private static final String DEFAULT_TYPE = "application/octet-stream";

  /**
   * A new object. As in Cloud Storage, one that was composed has no MD5 hash.
   *
   * @param given the fields that the writer chooses: content type, metadata and the like
   */
  static StoredObject of(
      String bucket, String name, long generation, StorageObject given, byte[] content) {
    StorageObject resource =
        given
            .clone()
            .setKind("storage#object")
            .setContentType(Optional.ofNullable(given.getContentType()).orElse(DEFAULT_TYPE))
            .setId(bucket + "/" + name + "/" + generation)
            .setBucket(bucket)
            .setName(name)
            .setGeneration(generation)
            .setMetageneration(1L)
            .setStorageClass("STANDARD")
            .setSize(BigInteger.valueOf(content.length))
            .setMd5Hash(given.getComponentCount() == null ? md5(content) : null)
            .setCrc32c(crc32c(content))
            .setEtag(generation + "/1")
            .setTimeCreated(now())
            .setUpdated(now());
    return new StoredObject(resource, content);
  }

  /** The same generation with some fields set anew. */
  StoredObject patched(StorageObject fields) {
    long next = metageneration() + 1;
    StorageObject patched = resource.clone();
    patched.putAll(fields);
    patched.setMetageneration(next).setEtag(generation() + "/" + next).setUpdated(now());
    return new StoredObject(patched, content);
  }

  String name() {
    return resource.getName();
  }

  long generation() {
    return resource.getGeneration();
  }

  long metageneration() {
    return resource.getMetageneration();
  }

  /** The fields that a copy takes over. */
  StorageObject givenFields() {
    return new StorageObject()
        .setContentType(resource.getContentType())
        .setContentEncoding(resource.getContentEncoding())
        .setContentDisposition(resource.getContentDisposition())
        .setContentLanguage(resource.getContentLanguage())
        .setCacheControl(resource.getCacheControl())
        .setMetadata(resource.getMetadata());
  }

  private static DateTime now() {
    return new DateTime(System.currentTimeMillis());
  }

  private static String md5(byte[] content) {
    try {
      return base64(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Of the four bytes in big-endian order. */
  private static String crc32c(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return base64(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
