package dev.tidemark.transforms.windowing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of one key that become one.
 *
 * @param parts the sessions, by start
 * @param session what they become; where there is one part, the part itself
 */
public record SessionMerge(List<IntervalWindow> parts, IntervalWindow session) {

  public SessionMerge {
    parts = List.copyOf(parts);
  }

  /**
   * Which of one key's sessions become one: those that overlap, as with Beam's {@code Sessions}.
   * With a bound, walks the sessions by start, and a session takes an overlapping later one unless
   * the two together would be longer. Each session is a part of exactly one merge.
   *
   * @param maxDuration the bound; null for none
   */
  public static List<SessionMerge> of(
      Collection<IntervalWindow> sessions, @Nullable Duration maxDuration) {
    List<SessionMerge> merges = new ArrayList<>();
    List<IntervalWindow> parts = new ArrayList<>();
    IntervalWindow session = null;
    for (IntervalWindow next : sessions.stream().sorted().toList()) {
      if (session != null && takes(session, next, maxDuration)) {
        session = session.span(next);
      } else {
        if (session != null) {
          merges.add(new SessionMerge(parts, session));
        }
        parts.clear();
        session = next;
      }
      parts.add(next);
    }
    if (session != null) {
      merges.add(new SessionMerge(parts, session));
    }
    return merges;
  }

  private static boolean takes(
      IntervalWindow session, IntervalWindow next, @Nullable Duration maxDuration) {
    return session.intersects(next)
        && (maxDuration == null
            || !session.span(next).end().isAfter(session.start().plus(maxDuration)));
  }
}
