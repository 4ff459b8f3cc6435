package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultRow;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;
import org.jspecify.annotations.Nullable;

/** Results of a policy as rows of a {@link ResultTable}. */
final class TableRows {
  /** Of {@code BIGNUMERIC}: whole numbers of this many bits, and a sign, over ten to the 38th. */
  private static final int DECIMAL_BITS = 255;

  private static final int DECIMAL_SCALE = 38;

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private TableRows() {}

  /** A value that its column cannot hold. The message names it and what is allowed. */
  static final class DoesNotFitException extends Exception {
    DoesNotFitException(String message) {
      super(message);
    }
  }

  /**
   * A result as a row. Decimals are rounded to the 38 digits behind the point that a column holds;
   * the line has all of them.
   *
   * @throws DoesNotFitException if a number or an instant is too large
   */
  static TableRow of(Policy policy, WindowResult result) throws DoesNotFitException {
    return row(ResultRow.toRow(policy, result))
        .set("keyJson", ResultJson.key(policy, result.key()))
        .set("windowId", windowId(result.window()))
        .set(ResultTable.LINE, ResultJson.line(policy, result));
  }

  /** The primary key of a session that a result replaces, and that result's line. */
  static TableRow superseded(Policy policy, ResultWindow session, WindowResult by) {
    return new TableRow()
        .set("metric", policy.metric())
        .set("keyJson", ResultJson.key(policy, by.key()))
        .set("windowId", windowId(session))
        .set(ResultTable.LINE, ResultJson.line(policy, by));
  }

  /** Never null, since it is part of the primary key. */
  private static String windowId(@Nullable ResultWindow window) {
    return window == null ? "GLOBAL" : window.start() + "/" + window.end();
  }

  private static TableRow row(Row row) throws DoesNotFitException {
    TableRow fields = new TableRow();
    for (Schema.Field field : row.getSchema().getFields()) {
      Object value = row.getValue(field.getName());
      if (value != null && !field.getName().equals(ResultTable.LEFT_OUT)) {
        fields.set(field.getName(), value(field.getName(), field.getType(), value));
      }
    }
    return fields;
  }

  private static Object value(String name, FieldType type, Object value)
      throws DoesNotFitException {
    return switch (type.getTypeName()) {
      case ROW -> row((Row) value);
      case ARRAY -> list(name, type, (Collection<?>) value);
      case DATETIME -> timestamp(name, ((ReadableInstant) value).toInstant());
      case DECIMAL -> decimal(name, (BigDecimal) value);
      default -> value;
    };
  }

  private static List<Object> list(String name, FieldType type, Collection<?> values)
      throws DoesNotFitException {
    List<Object> list = new ArrayList<>();
    for (Object value : values) {
      list.add(value(name, Objects.requireNonNull(type.getCollectionElementType()), value));
    }
    return list;
  }

  private static String timestamp(String name, Instant instant) throws DoesNotFitException {
    if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      throw new DoesNotFitException(
          name + " is " + instant + "; a TIMESTAMP holds the years 1 to 9999");
    }
    return instant.toString();
  }

  /** Text, since a row passes through JSON, where numbers lose digits. */
  private static String decimal(String name, BigDecimal decimal) throws DoesNotFitException {
    BigDecimal rounded =
        decimal.scale() > DECIMAL_SCALE
            ? decimal.setScale(DECIMAL_SCALE, RoundingMode.HALF_EVEN)
            : decimal;
    if (rounded.setScale(DECIMAL_SCALE).unscaledValue().bitLength() > DECIMAL_BITS) {
      throw new DoesNotFitException(
          name + " is " + decimal.round(new MathContext(3)) + "; a BIGNUMERIC holds up to 5.7e38");
    }
    return rounded.toPlainString();
  }
}
