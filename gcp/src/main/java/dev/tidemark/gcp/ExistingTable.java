package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.Table;
import com.google.api.services.bigquery.model.TableConstraints;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A table that is there already: whether results can go into it, and the columns that it lacks. */
final class ExistingTable {
  private final List<TableFieldSchema> columns;
  private final List<String> primaryKey;

  private ExistingTable(List<TableFieldSchema> columns, List<String> primaryKey) {
    this.columns = columns;
    this.primaryKey = primaryKey;
  }

  /** A table as BigQuery describes it. */
  static ExistingTable of(Table table) {
    return new ExistingTable(
        fieldsOf(table.getSchema()),
        Optional.ofNullable(table.getTableConstraints())
            .map(TableConstraints::getPrimaryKey)
            .map(TableConstraints.PrimaryKey::getColumns)
            .orElse(List.of()));
  }

  private static List<TableFieldSchema> fieldsOf(TableSchema schema) {
    return schema == null || schema.getFields() == null ? List.of() : schema.getFields();
  }

  /** Why rows of a schema cannot go into it, even with more columns; none if they can. */
  List<String> problems(TableSchema schema) {
    List<String> problems = new ArrayList<>();
    for (String name : ResultTable.PRIMARY_KEY) {
      if (ResultTable.find(columns, name).isEmpty()) {
        problems.add("has no column " + name + ", so it is not a table of results; give another");
        return problems;
      }
    }
    addProblems(columns, schema.getFields(), "", problems);
    return problems;
  }

  private static void addProblems(
      List<TableFieldSchema> there,
      List<TableFieldSchema> ours,
      String place,
      List<String> problems) {
    for (TableFieldSchema column : there) {
      String name = place + column.getName();
      Optional<TableFieldSchema> same = ResultTable.find(ours, column.getName());
      if (same.isEmpty()) {
        if ("REQUIRED".equals(column.getMode())) {
          problems.add(
              "the column " + name + " is REQUIRED, but results have none; let it be null");
        }
      } else if (!ResultTable.isAlike(column, same.get())) {
        problems.add(
            "the column %s is %s, but in results %s; rename the field, or give another table"
                .formatted(name, ResultTable.shown(column), ResultTable.shown(same.get())));
      } else if (column.getFields() != null) {
        addProblems(column.getFields(), same.get().getFields(), name + ".", problems);
      }
    }
  }

  /** Why its rows cannot be replaced; none if they can. */
  List<String> keyProblems() {
    return String.join(",", primaryKey).equalsIgnoreCase(String.join(",", ResultTable.PRIMARY_KEY))
        ? List.of()
        : List.of(
            "needs the primary key "
                + String.join(", ", ResultTable.PRIMARY_KEY)
                + "; ALTER TABLE … ADD PRIMARY KEY (…) NOT ENFORCED, or give another table");
  }

  /** Its columns and, behind them, those that it lacks for a schema; empty if it lacks none. */
  Optional<List<TableFieldSchema>> with(TableSchema schema) {
    List<TableFieldSchema> merged = merge(columns, schema.getFields());
    return merged.equals(columns) ? Optional.empty() : Optional.of(merged);
  }

  private static List<TableFieldSchema> merge(
      List<TableFieldSchema> there, List<TableFieldSchema> ours) {
    List<TableFieldSchema> merged = new ArrayList<>();
    for (TableFieldSchema column : there) {
      Optional<TableFieldSchema> same = ResultTable.find(ours, column.getName());
      merged.add(
          same.isEmpty() || column.getFields() == null
              ? column
              : column.clone().setFields(merge(column.getFields(), same.get().getFields())));
    }
    ours.stream()
        .filter(column -> ResultTable.find(there, column.getName()).isEmpty())
        .forEach(merged::add);
    return merged;
  }
}
