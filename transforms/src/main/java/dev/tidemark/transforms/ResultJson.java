package dev.tidemark.transforms;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.JsonLine;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.ReportingPeriod;
import dev.tidemark.policy.Windowing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The result line and the too-late line of the result contract. */
public final class ResultJson {
  /** Enough that two of a trillion results share an id with a chance of less than 1e-14. */
  private static final int ID_BYTES = 16;

  private ResultJson() {}

  /** One line of NDJSON for a result, the contract's fields in the contract's order. */
  public static String line(Policy policy, WindowResult result) {
    return JsonLine.of(
        json -> {
          writeSubject(json, policy, result.key(), result.window());
          json.writeStringField("windowType", WindowType.of(policy.windowing()).name());
          json.writeStringField("clock", policy.clock().name());
          json.writeStringField("resultKind", result.kind().name());
          json.writeNumberField("firingSequence", result.firingSequence());
          json.writeBooleanField("isLast", result.isLast());
          JsonLine.writeInstant(json, "watermarkAtComputation", result.watermark());
          JsonLine.writeInstant(json, "computedAt", result.computedAt());
          json.writeStringField("policyVersion", policy.version());
          json.writeStringField("resultId", resultId(policy, result));
          writeValue(json, policy, result);
          writePeriod(json, policy, result.window());
          writeSupersedes(json, result.supersedes());
          if (policy.accumulation() == Accumulation.DISCARDING) {
            json.writeStringField("accumulation", policy.accumulation().name());
          }
          if (result.accumulators() != null) {
            json.writeStringField("accumulators", result.accumulators());
          }
          writeCorrects(json, result.corrects());
        });
  }

  /** One line of NDJSON for a too-late event, with its raw record. */
  public static String line(Policy policy, TooLateEvent tooLate) {
    return JsonLine.of(
        json -> {
          writeSubject(json, policy, tooLate.event().key(), tooLate.window());
          JsonLine.writeInstant(json, "eventTime", tooLate.event().timestamp());
          JsonLine.writeInstant(json, "arrivedAt", tooLate.event().raw().arrivedAt());
          json.writeStringField("policyVersion", policy.version());
          JsonLine.writeRaw(json, "event", tooLate.event().raw().bytes());
          JsonLine.writeOrigin(json, tooLate.event().raw().origin());
        });
  }

  /**
   * What a result is about, as one line: its metric, key and window. For sinks that keep results
   * apart or replace them by a key.
   */
  public static String subject(Policy policy, EventKey key, @Nullable ResultWindow window) {
    return JsonLine.of(json -> writeSubject(json, policy, key, window));
  }

  /** A key as one line: the object that the result line has. The same key is the same line. */
  public static String key(Policy policy, EventKey key) {
    return JsonLine.of(json -> JsonLine.writeKeyFields(json, policy.key().keySet(), key));
  }

  /**
   * The identity of a result: the same for the same firing, whenever and wherever it is computed,
   * so that a sink that gets it twice can tell.
   */
  public static String resultId(Policy policy, WindowResult result) {
    return resultId(policy, result.key(), result.window(), result.kind(), result.firingSequence());
  }

  /** The identity of a result that is yet to be computed. */
  public static String resultId(
      Policy policy,
      EventKey key,
      @Nullable ResultWindow window,
      ResultKind kind,
      long firingSequence) {
    String identity =
        JsonLine.of(
            json -> {
              writeSubject(json, policy, key, window);
              json.writeStringField("resultKind", kind.name());
              json.writeNumberField("firingSequence", firingSequence);
              json.writeStringField("policyVersion", policy.version());
            });
    return HexFormat.of().formatHex(sha256(identity), 0, ID_BYTES);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void writeSubject(
      JsonGenerator json, Policy policy, EventKey key, @Nullable ResultWindow window)
      throws IOException {
    json.writeStringField("metric", policy.metric());
    JsonLine.writeKey(json, policy.key().keySet(), key);
    writeWindow(json, window);
  }

  private static void writeWindow(JsonGenerator json, @Nullable ResultWindow window)
      throws IOException {
    JsonLine.writeInstant(json, "windowStart", window == null ? null : window.start());
    JsonLine.writeInstant(json, "windowEnd", window == null ? null : window.end());
  }

  private static void writeValue(JsonGenerator json, Policy policy, WindowResult result)
      throws IOException {
    json.writeObjectFieldStart("value");
    Iterator<String> names = policy.aggregates().keySet().iterator();
    // One that is taken back may have been fired when the policy had fewer aggregates.
    for (AggregateValue value : result.value()) {
      json.writeFieldName(names.next());
      writeAggregate(json, value);
    }
    json.writeEndObject();
  }

  private static void writeAggregate(JsonGenerator json, @Nullable AggregateValue value)
      throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof AggregateValue.Single single) {
      JsonLine.writeScalar(json, single.scalar());
    } else if (value instanceof AggregateValue.Ranking ranking) {
      json.writeStartArray();
      for (AggregateValue.Counted entry : ranking.entries()) {
        json.writeStartObject();
        json.writeFieldName("value");
        JsonLine.writeScalar(json, entry.value());
        json.writeNumberField("count", entry.count());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  private static void writePeriod(JsonGenerator json, Policy policy, @Nullable ResultWindow window)
      throws IOException {
    Optional<ReportingPeriod> period = period(policy, window);
    if (period.isPresent()) {
      json.writeStringField("periodId", period.get().id());
      json.writeStringField("calendarVersion", period.get().calendarVersion());
    }
  }

  /** The period of the policy's reporting calendar that a window is; empty if it has none. */
  static Optional<ReportingPeriod> period(Policy policy, @Nullable ResultWindow window) {
    return policy.windowing() instanceof Windowing.ReportingCalendar calendar && window != null
        ? calendar.periods().stream()
            .filter(period -> period.start().equals(window.start()))
            .findFirst()
        : Optional.empty();
  }

  private static void writeSupersedes(JsonGenerator json, List<ResultWindow> supersedes)
      throws IOException {
    if (supersedes.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("supersedes");
    for (ResultWindow window : supersedes) {
      json.writeStartObject();
      writeWindow(json, window);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeCorrects(JsonGenerator json, List<String> corrects) throws IOException {
    if (corrects.isEmpty()) {
      return;
    }
    json.writeArrayFieldStart("corrects");
    for (String resultId : corrects) {
      json.writeString(resultId);
    }
    json.writeEndArray();
  }
}
