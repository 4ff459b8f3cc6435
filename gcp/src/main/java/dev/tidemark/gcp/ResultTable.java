package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.Clustering;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableSchema;
import com.google.api.services.bigquery.model.TimePartitioning;
import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.ResultRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;

/**
 * What a table of results looks like: the columns of the result contract, where {@code key} and
 * {@code value} have a field for each that a policy of the table has. All but the primary key may
 * be null, so a policy or an aggregate that is added only adds columns.
 */
final class ResultTable {
  /** Identify a result in the table that keeps the newest. */
  static final List<String> PRIMARY_KEY = List.of("metric", "keyJson", "windowId");

  /** The result as files have it. */
  static final String LINE = "line";

  /** In the line already, and as large as the state of a window. */
  static final String LEFT_OUT = "accumulators";

  /** What can be written without quotes. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,299}");

  private ResultTable() {}

  static TimePartitioning partitioning() {
    return new TimePartitioning().setType("DAY").setField("windowStart");
  }

  static Clustering clustering() {
    return new Clustering().setFields(List.of("metric", "keyJson"));
  }

  /**
   * The columns for the results of these policies.
   *
   * @throws UsageException naming each field that cannot be a column, or has the name but not the
   *     type of another policy's
   */
  static TableSchema schema(List<Policy> policies) throws UsageException {
    List<TableFieldSchema> columns = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Policy policy : policies) {
      add(fields(ResultRow.schema(policy)), columns, policy.metric() + ": ", problems);
    }
    for (String name : List.of("keyJson", "windowId", LINE)) {
      columns.add(new TableFieldSchema().setName(name).setType("STRING").setMode("NULLABLE"));
    }
    UsageException.throwIfAny(problems);
    for (TableFieldSchema column : columns) {
      if (PRIMARY_KEY.contains(column.getName())) {
        column.setMode("REQUIRED");
      }
    }
    return new TableSchema().setFields(columns);
  }

  private static List<TableFieldSchema> fields(Schema schema) {
    List<TableFieldSchema> fields = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      FieldType type = field.getType();
      boolean isWithoutFields =
          type.getRowSchema() != null && type.getRowSchema().getFieldCount() == 0;
      if (!isWithoutFields && !field.getName().equals(LEFT_OUT)) {
        fields.add(field(field.getName(), type));
      }
    }
    return fields;
  }

  private static TableFieldSchema field(String name, FieldType type) {
    return switch (type.getTypeName()) {
      case ARRAY -> field(name, elementOf(type)).setMode("REPEATED");
      case ROW -> plain(name, "RECORD").setFields(fields(rowSchemaOf(type)));
      case DATETIME -> plain(name, "TIMESTAMP");
      case INT64 -> plain(name, "INTEGER");
      case BOOLEAN -> plain(name, "BOOLEAN");
      case DECIMAL -> plain(name, "BIGNUMERIC");
      case STRING -> plain(name, "STRING");
      default -> throw new IllegalArgumentException("results have no field of type " + type);
    };
  }

  private static TableFieldSchema plain(String name, String type) {
    return new TableFieldSchema().setName(name).setType(type).setMode("NULLABLE");
  }

  private static FieldType elementOf(FieldType type) {
    return Objects.requireNonNull(type.getCollectionElementType());
  }

  private static Schema rowSchemaOf(FieldType type) {
    return Objects.requireNonNull(type.getRowSchema());
  }

  private static void add(
      List<TableFieldSchema> added,
      List<TableFieldSchema> columns,
      String place,
      List<String> problems) {
    for (TableFieldSchema column : added) {
      Optional<TableFieldSchema> other = find(columns, column.getName());
      if (!NAME.matcher(column.getName()).matches()) {
        problems.add(
            place + column.getName() + " cannot be a column; allowed: letters, digits and '_'");
      } else if (other.isEmpty()) {
        columns.add(column);
      } else if (!isAlike(column, other.get())) {
        problems.add(
            "%s%s is %s, but %s as %s of another policy; rename one, or give them tables of their own"
                .formatted(
                    place,
                    column.getName(),
                    shown(column),
                    shown(other.get()),
                    other.get().getName()));
      } else if (column.getFields() != null) {
        add(column.getFields(), other.get().getFields(), place + column.getName() + ".", problems);
      }
    }
  }

  /** BigQuery does not tell names apart by their case. */
  static Optional<TableFieldSchema> find(List<TableFieldSchema> columns, String name) {
    return columns.stream().filter(column -> column.getName().equalsIgnoreCase(name)).findFirst();
  }

  /** Whether the columns hold the same kind of value, whatever their own fields. */
  static boolean isAlike(TableFieldSchema one, TableFieldSchema other) {
    return shown(one).equals(shown(other));
  }

  /** The type of a column as messages show it. BigQuery takes and gives two names of some types. */
  static String shown(TableFieldSchema column) {
    String type =
        switch (column.getType()) {
          case "INT64" -> "INTEGER";
          case "BOOL" -> "BOOLEAN";
          case "STRUCT" -> "RECORD";
          default -> column.getType();
        };
    return "REPEATED".equals(column.getMode()) ? "REPEATED " + type : type;
  }
}
