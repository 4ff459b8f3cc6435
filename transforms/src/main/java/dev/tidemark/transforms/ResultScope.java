package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.values.KV;
import org.jspecify.annotations.Nullable;

/**
 * What a result can replace, as the key of a step that keeps or groups results: a window of a key;
 * null in its place for the global window and, since sessions merge, for all sessions of the key.
 */
public final class ResultScope {
  /** Of scopes. */
  public static final Coder<KV<EventKey, @Nullable ResultWindow>> CODER =
      KvCoder.of(EventKeyCoder.of(), NullableCoder.of(ResultWindowCoder.of()));

  private ResultScope() {}

  /** The scope of what a policy says of a window of a key. */
  public static KV<EventKey, @Nullable ResultWindow> of(
      Policy policy, EventKey key, @Nullable ResultWindow window) {
    return KV.of(key, policy.windowing() instanceof Windowing.Sessions ? null : window);
  }
}
