package dev.tidemark.transforms;

import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.ReportingPeriod;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Optional;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.jspecify.annotations.Nullable;

/**
 * The result contract as Beam rows, for sinks that take them. The schema follows from the policy
 * alone: a field that {@link ResultJson} leaves out of a line is null or an empty list.
 *
 * <p>Exact decimals are {@code DECIMAL}, counts and milliseconds {@code INT64}, instants {@code
 * DATETIME}. A policy does not say of which type a key is, or a value of {@code first}, {@code
 * last} and {@code top}; so these are {@code STRING}, numbers in plain notation.
 */
public final class ResultRow {
  private static final Schema WINDOW =
      Schema.builder().addDateTimeField("windowStart").addDateTimeField("windowEnd").build();
  private static final Schema COUNTED =
      Schema.builder().addStringField("value").addInt64Field("count").build();

  private ResultRow() {}

  /** The schema of a policy's results, the contract's fields in the contract's order. */
  public static Schema schema(Policy policy) {
    return Schema.builder()
        .addStringField("metric")
        .addRowField("key", keySchema(policy))
        .addNullableDateTimeField("windowStart")
        .addNullableDateTimeField("windowEnd")
        .addStringField("windowType")
        .addStringField("clock")
        .addStringField("resultKind")
        .addInt64Field("firingSequence")
        .addBooleanField("isLast")
        .addNullableDateTimeField("watermarkAtComputation")
        .addDateTimeField("computedAt")
        .addStringField("policyVersion")
        .addStringField("resultId")
        .addRowField("value", valueSchema(policy))
        .addNullableStringField("periodId")
        .addNullableStringField("calendarVersion")
        .addArrayField("supersedes", FieldType.row(WINDOW))
        .addStringField("accumulation")
        .addNullableStringField("accumulators")
        .addArrayField("corrects", FieldType.STRING)
        .build();
  }

  /** A result of the policy as a row of its {@link #schema}. */
  public static Row toRow(Policy policy, WindowResult result) {
    Optional<ReportingPeriod> period = ResultJson.period(policy, result.window());
    return Row.withSchema(schema(policy))
        .addValue(policy.metric())
        .addValue(key(policy, result.key()))
        .addValue(result.window() == null ? null : result.window().start())
        .addValue(result.window() == null ? null : result.window().end())
        .addValue(WindowType.of(policy.windowing()).name())
        .addValue(policy.clock().name())
        .addValue(result.kind().name())
        .addValue(result.firingSequence())
        .addValue(result.isLast())
        .addValue(result.watermark())
        .addValue(result.computedAt())
        .addValue(policy.version())
        .addValue(ResultJson.resultId(policy, result))
        .addValue(value(policy, result))
        .addValue(period.map(ReportingPeriod::id).orElse(null))
        .addValue(period.map(ReportingPeriod::calendarVersion).orElse(null))
        .addArray(result.supersedes().stream().map(ResultRow::window).toList())
        .addValue(policy.accumulation().name())
        .addValue(result.accumulators())
        .addArray(result.corrects())
        .build();
  }

  private static Schema keySchema(Policy policy) {
    Schema.Builder schema = Schema.builder();
    policy.key().keySet().forEach(schema::addStringField);
    return schema.build();
  }

  private static Schema valueSchema(Policy policy) {
    Schema.Builder schema = Schema.builder();
    policy
        .aggregates()
        .forEach((name, aggregate) -> schema.addNullableField(name, type(aggregate)));
    return schema.build();
  }

  private static FieldType type(Aggregate aggregate) {
    if (aggregate instanceof Aggregate.Count
        || aggregate instanceof Aggregate.Distinct
        || aggregate instanceof Aggregate.Elapsed) {
      return FieldType.INT64;
    } else if (aggregate instanceof Aggregate.Top) {
      return FieldType.array(FieldType.row(COUNTED));
    }
    return aggregate.numeric() ? FieldType.DECIMAL : FieldType.STRING;
  }

  private static Row key(Policy policy, EventKey key) {
    return Row.withSchema(keySchema(policy))
        .addValues(key.values().stream().map(ResultRow::text).toArray())
        .build();
  }

  private static Row value(Policy policy, WindowResult result) {
    Row.Builder row = Row.withSchema(valueSchema(policy));
    Iterator<@Nullable AggregateValue> values = result.value().iterator();
    for (Aggregate aggregate : policy.aggregates().values()) {
      // One that is taken back may have been fired when the policy had fewer aggregates.
      row.addValue(values.hasNext() ? value(type(aggregate), values.next()) : null);
    }
    return row.build();
  }

  private static @Nullable Object value(FieldType type, @Nullable AggregateValue value) {
    if (value instanceof AggregateValue.Ranking ranking) {
      return ranking.entries().stream().map(ResultRow::counted).toList();
    } else if (value instanceof AggregateValue.Single single) {
      return switch (type.getTypeName()) {
        case INT64 -> number(single.scalar()).longValueExact();
        case DECIMAL -> number(single.scalar());
        default -> text(single.scalar());
      };
    }
    return null;
  }

  private static Row counted(AggregateValue.Counted entry) {
    return Row.withSchema(COUNTED).addValues(text(entry.value()), entry.count()).build();
  }

  private static Row window(ResultWindow window) {
    return Row.withSchema(WINDOW).addValues(window.start(), window.end()).build();
  }

  private static BigDecimal number(Scalar scalar) {
    return ((Scalar.Num) scalar).value();
  }

  private static String text(Scalar scalar) {
    if (scalar instanceof Scalar.Num num) {
      return num.value().toPlainString();
    } else if (scalar instanceof Scalar.Bool bool) {
      return String.valueOf(bool.value());
    }
    return ((Scalar.Text) scalar).value();
  }
}
