package dev.tidemark.testkit;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.transforms.DoFn;

/** Keeps what comes in this process, where a test can see it. */
public final class Gather<T> extends DoFn<T, Void> {
  private static final Map<UUID, Queue<Object>> GATHERED = new ConcurrentHashMap<>();
  private final UUID id = UUID.randomUUID();

  @ProcessElement
  public void process(@Element T element) {
    GATHERED.computeIfAbsent(id, key -> new ConcurrentLinkedQueue<>()).add(element);
  }

  /** What has come, in the order of coming; to be asked once, after the run. */
  @SuppressWarnings("unchecked") // only elements of this DoFn were added under its id
  public List<T> gathered() {
    Queue<Object> gathered = GATHERED.remove(id);
    return gathered == null ? List.of() : (List<T>) List.copyOf(gathered);
  }
}
