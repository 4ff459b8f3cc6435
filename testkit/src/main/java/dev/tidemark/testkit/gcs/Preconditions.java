package dev.tidemark.testkit.gcs;

import org.jspecify.annotations.Nullable;

/**
 * What must hold of an object for a call to be carried out. An object that does not exist has
 * generation 0 and metageneration 0.
 */
record Preconditions(
    @Nullable Long generation,
    @Nullable Long notGeneration,
    @Nullable Long metageneration,
    @Nullable Long notMetageneration) {

  static final Preconditions NONE = new Preconditions(null, null, null, null);

  /** On the object that the call reads or changes. */
  static Preconditions of(Request request) {
    return of(request, "if");
  }

  /** On the object that the call copies from. */
  static Preconditions ofSource(Request request) {
    return of(request, "ifSource");
  }

  private static Preconditions of(Request request, String prefix) {
    return new Preconditions(
        request.number(prefix + "GenerationMatch"),
        request.number(prefix + "GenerationNotMatch"),
        request.number(prefix + "MetagenerationMatch"),
        request.number(prefix + "MetagenerationNotMatch"));
  }

  /** Whether a reader has this already: the API then sends status 304, not 412. */
  boolean hasAlready(StoredObject live) {
    return (notGeneration != null && notGeneration == live.generation())
        || (notMetageneration != null && notMetageneration == live.metageneration());
  }

  void check(@Nullable StoredObject live) {
    long liveGeneration = live == null ? 0 : live.generation();
    long liveMetageneration = live == null ? 0 : live.metageneration();
    boolean met =
        (generation == null || generation == liveGeneration)
            && (notGeneration == null || notGeneration != liveGeneration)
            && (metageneration == null || metageneration == liveMetageneration)
            && (notMetageneration == null || notMetageneration != liveMetageneration);
    if (!met) {
      throw new Refusal(
          412, "conditionNotMet", "At least one of the pre-conditions you specified did not hold.");
    }
  }
}
