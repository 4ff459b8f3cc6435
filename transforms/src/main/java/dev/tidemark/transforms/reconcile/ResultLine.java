package dev.tidemark.transforms.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.JsonFields;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowType;
import dev.tidemark.transforms.aggregate.Accumulators;
import dev.tidemark.transforms.aggregate.AccumulatorsCoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result line, read back. It can be read without the policy that it was made by.
 *
 * @param text the line itself
 * @param metric the policy's metric
 * @param policyVersion the policy's version
 * @param keyFields the names of the key's fields
 * @param windowType the shape of the window
 * @param discarding whether the panes of its window add up
 * @param resultId the identity of the result
 * @param valueFields the names of the value's fields
 * @param result the result, but for {@code supersedes}: a session that is superseded lies inside
 *     the one that supersedes it
 */
public record ResultLine(
    String text,
    String metric,
    String policyVersion,
    List<String> keyFields,
    WindowType windowType,
    boolean discarding,
    String resultId,
    List<String> valueFields,
    WindowResult result) {

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException saying which field is wrong and what is allowed
   */
  public static ResultLine parse(String text) {
    JsonFields fields = JsonFields.of(text);
    Map<String, JsonNode> value = fields.values("value");
    Map<String, JsonNode> key = fields.values("key");
    return new ResultLine(
        text,
        fields.text("metric"),
        fields.text("policyVersion"),
        List.copyOf(key.keySet()),
        fields.oneOf(WindowType.class, "windowType"),
        fields.has("accumulation")
            && fields.oneOf(Accumulation.class, "accumulation") == Accumulation.DISCARDING,
        fields.text("resultId"),
        List.copyOf(value.keySet()),
        new WindowResult(
            key(key),
            window(fields),
            fields.oneOf(ResultKind.class, "resultKind"),
            fields.count("firingSequence"),
            fields.truth("isLast"),
            fields.instantOrNull("watermarkAtComputation"),
            fields.instant("computedAt"),
            values(value),
            List.of(),
            fields.textIfAny("accumulators"),
            fields.texts("corrects")));
  }

  private static EventKey key(Map<String, JsonNode> fields) {
    List<Scalar> values = new ArrayList<>();
    fields.forEach((name, value) -> values.add(scalar("key." + name, value)));
    return new EventKey(values);
  }

  private static @Nullable ResultWindow window(JsonFields fields) {
    boolean global =
        fields.instantOrNull("windowStart") == null && fields.instantOrNull("windowEnd") == null;
    return global
        ? null
        : new ResultWindow(fields.instant("windowStart"), fields.instant("windowEnd"));
  }

  private static List<@Nullable AggregateValue> values(Map<String, JsonNode> fields) {
    List<@Nullable AggregateValue> values = new ArrayList<>();
    fields.forEach((name, value) -> values.add(value("value." + name, value)));
    return Collections.unmodifiableList(values);
  }

  private static @Nullable AggregateValue value(String field, JsonNode value) {
    if (value.isNull()) {
      return null;
    } else if (!value.isArray()) {
      return new AggregateValue.Single(scalar(field, value));
    }
    List<AggregateValue.Counted> entries = new ArrayList<>();
    for (JsonNode entry : value) {
      entries.add(
          new AggregateValue.Counted(
              scalar(field, entry.path("value")), entry.path("count").longValue()));
    }
    return new AggregateValue.Ranking(entries);
  }

  private static Scalar scalar(String field, JsonNode value) {
    try {
      return JsonFields.scalar(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + " is not allowed; allowed: text, a number, true or false", e);
    }
  }

  /**
   * Makes sure that this policy made the line.
   *
   * @throws IllegalArgumentException saying what the line has and what the policy has
   */
  public void checkMadeBy(Policy policy) {
    require("policyVersion", policyVersion, policy.version());
    require("key", keyFields, List.copyOf(policy.key().keySet()));
    require("windowType", windowType, WindowType.of(policy.windowing()));
    require("value", valueFields, List.copyOf(policy.aggregates().keySet()));
    require("discarding", discarding, policy.accumulation() == Accumulation.DISCARDING);
    if (result.accumulators() != null) {
      accumulators(policy);
    }
  }

  private static void require(String field, Object ours, Object theirs) {
    if (!ours.equals(theirs)) {
      throw new IllegalArgumentException(field + " is " + ours + ", but the policy's is " + theirs);
    }
  }

  /**
   * What the aggregates of the policy that made this line kept of the events.
   *
   * @throws IllegalArgumentException if the line's accumulators or values are not of the policy
   * @throws UnusableTrailException if the line has no accumulators and its values do not suffice
   */
  public Accumulators accumulators(Policy policy) {
    List<Aggregate> aggregates = policy.aggregateList();
    if (result.accumulators() != null) {
      return AccumulatorsCoder.of(aggregates).fromBase64(result.accumulators());
    }
    Iterator<String> names = policy.aggregates().keySet().iterator();
    for (Aggregate aggregate : aggregates) {
      String name = names.next();
      if (!Accumulators.isInValue(aggregate)) {
        throw new UnusableTrailException(
            "the results of "
                + metric
                + " have no accumulators, and "
                + name
                + " cannot be rebuilt from its value; run with --withAccumulators");
      }
    }
    return Accumulators.ofValues(aggregates, result.value());
  }
}
