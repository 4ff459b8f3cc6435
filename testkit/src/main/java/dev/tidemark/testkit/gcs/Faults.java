package dev.tidemark.testkit.gcs;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Which calls go wrong, and how. The calls are counted as they arrive: a seed fixes what befalls
 * the n-th of those that match. Each part of a batch is a call too.
 *
 * @param seed of the choice
 * @param rate the share of the matching calls that go wrong, 0 to 1
 * @param kinds what can go wrong; each is as likely
 * @param limit how many calls go wrong at most
 * @param method only calls of this HTTP method; empty: of all
 * @param path only calls whose path, as it was sent, contains this
 * @param slowness how long a {@link Fault#SLOW} call waits
 */
public record Faults(
    long seed,
    double rate,
    List<Fault> kinds,
    int limit,
    String method,
    String path,
    Duration slowness) {

  public Faults {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate is " + rate + ": 0 to 1 is allowed");
    }
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("kinds is empty: name one fault at least");
    }
    kinds = List.copyOf(kinds);
  }

  /** All kinds, at rate 0. */
  public static Faults of(long seed) {
    return new Faults(
        seed, 0, List.of(Fault.values()), Integer.MAX_VALUE, "", "", Duration.ofMillis(20));
  }

  /** The next call, or the next of those that are named, goes wrong, and no other. */
  public static Faults once(Fault fault) {
    return of(0).withRate(1).withLimit(1).withKinds(fault);
  }

  public Faults withRate(double rate) {
    return new Faults(seed, rate, kinds, limit, method, path, slowness);
  }

  public Faults withKinds(Fault... kinds) {
    return new Faults(seed, rate, List.of(kinds), limit, method, path, slowness);
  }

  public Faults withLimit(int limit) {
    return new Faults(seed, rate, kinds, limit, method, path, slowness);
  }

  public Faults withCalls(String method, String path) {
    return new Faults(seed, rate, kinds, limit, method, path, slowness);
  }

  public Faults withSlowness(Duration slowness) {
    return new Faults(seed, rate, kinds, limit, method, path, slowness);
  }

  private boolean matches(Request request) {
    return (method.isEmpty() || method.equals(request.method())) && request.path().contains(path);
  }

  /** One run of these faults: it counts the calls. */
  static final class Source {
    private final Faults faults;
    private final Random random;
    private int injected;

    Source(Faults faults) {
      this.faults = faults;
      this.random = new Random(faults.seed);
    }

    /**
     * What befalls this call; null if nothing. A slow call waits in here.
     *
     * @param isPart of a batch: it has no connection of its own that could break
     */
    @Nullable Fault next(Request request, boolean isPart) {
      List<Fault> kinds =
          isPart ? faults.kinds.stream().filter(Fault::isStatus).toList() : faults.kinds;
      Fault fault = draw(request, kinds);
      if (fault == Fault.SLOW) {
        pause(faults.slowness);
      }
      return fault;
    }

    private synchronized @Nullable Fault draw(Request request, List<Fault> kinds) {
      if (kinds.isEmpty() || injected == faults.limit || !faults.matches(request)) {
        return null;
      }
      if (random.nextDouble() >= faults.rate) {
        return null;
      }
      injected++;
      return kinds.get(random.nextInt(kinds.size()));
    }

    private static void pause(Duration duration) {
      try {
        Thread.sleep(duration.toMillis()); // the fault is a slow answer
      } catch (InterruptedException e) {
        // The server is closing.
        Thread.currentThread().interrupt();
      }
    }
  }
}
