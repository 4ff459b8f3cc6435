package dev.tidemark.pipelines;

import dev.tidemark.dlq.DeadLetter;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.TooLateEvent;
import dev.tidemark.transforms.WindowResult;
import java.io.IOException;
import java.util.List;

/** A system that takes what leaves a pipeline, or some of it. */
public interface Destination {

  /** Where the results of a policy go; empty if it takes none. */
  List<Outlet<WindowResult>> results(Policy policy);

  /** Where the events that came too late for a policy go; empty if it takes none. */
  List<Outlet<TooLateEvent>> tooLate(Policy policy);

  /** Where the dead letters of a policy go; empty if it takes none. */
  List<Outlet<DeadLetter>> deadLetters(Policy policy);

  /**
   * Makes sure that all of it can be written to. To be called once, before the pipeline runs.
   *
   * @throws UsageException if it cannot
   */
  void prepare() throws UsageException;

  /** Removes what a pipeline that has ended left half-written. */
  void cleanUp() throws IOException;
}
