package dev.tidemark.testkit.gcs;

import org.jspecify.annotations.Nullable;

/**
 * A call that the server got, alone or as a part of a batch.
 *
 * @param method of HTTP
 * @param path as it was sent, percent-encoded
 * @param query as it was sent; empty if there is none
 * @param fault what was made to go wrong; null if nothing
 * @param status of the answer, also of one that was lost; 0 if nothing was done
 */
public record Call(String method, String path, String query, @Nullable Fault fault, int status) {}
