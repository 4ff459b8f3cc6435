package dev.tidemark.pipelines.kafka;

import static org.hamcrest.MatcherAssert.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.hamcrest.Matcher;

/** Waits for what another thread, process or broker brings about. */
public final class Await {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(180);
  private static final long PAUSE_MILLIS = 50;

  private Await() {}

  /** Returns as soon as the value matches; fails as an assertion where it does not in time. */
  public static <T> void until(Callable<T> value, Matcher<? super T> matcher) throws Exception {
    long deadline = System.nanoTime() + DEADLINE_NANOS;
    T current = value.call();
    while (!matcher.matches(current) && System.nanoTime() < deadline) {
      Thread.sleep(PAUSE_MILLIS); // between two looks; nothing depends on how long
      current = value.call();
    }
    assertThat(current, matcher);
  }
}
