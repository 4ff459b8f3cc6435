package dev.tidemark.policy;

import java.io.Serializable;
import org.joda.time.Duration;

/**
 * How far event time may lag, idle and lead.
 *
 * @param maxOutOfOrderness how far the watermark stays behind the highest event time seen
 * @param idleAfter how long a quiet, caught-up source waits before its watermark follows the clock
 * @param maxFutureSkew how far ahead of the clock an event may be stamped; beyond it the event is a
 *     dead letter and never moves the watermark
 */
public record Watermark(Duration maxOutOfOrderness, Duration idleAfter, Duration maxFutureSkew)
    implements Serializable {

  public static final Watermark DEFAULT =
      new Watermark(Duration.ZERO, Duration.standardMinutes(1), Duration.standardMinutes(5));
}
