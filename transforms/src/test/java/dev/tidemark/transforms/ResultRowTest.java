package dev.tidemark.transforms;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.Windowing;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.beam.sdk.coders.RowCoder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.testing.CoderProperties;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ResultRowTest {
  private static final Policy POLICY =
      SampleResults.policy(SampleResults.FIXED, Accumulation.ACCUMULATING);

  @Test
  void theSchemaHasTheFieldsOfTheContractInItsOrder() {
    Schema schema = ResultRow.schema(POLICY);

    assertThat(
        types(schema),
        is(
            "metric STRING, key ROW, windowStart DATETIME?, windowEnd DATETIME?,"
                + " windowType STRING, clock STRING, resultKind STRING, firingSequence INT64,"
                + " isLast BOOLEAN, watermarkAtComputation DATETIME?, computedAt DATETIME,"
                + " policyVersion STRING, resultId STRING, value ROW, periodId STRING?,"
                + " calendarVersion STRING?, supersedes ARRAY, accumulation STRING,"
                + " accumulators STRING?, corrects ARRAY"));
    assertThat(types(nested(schema, "key")), is("store_id STRING, till STRING"));
    assertThat(
        types(nested(schema, "value")),
        is(
            "orders INT64?, revenue DECIMAL?, least DECIMAL?, most DECIMAL?, mean DECIMAL?,"
                + " p99 DECIMAL?, buyers INT64?, span INT64?, first STRING?, last STRING?,"
                + " top ARRAY?"));
  }

  @Test
  void aRowSaysWhatTheLineSays() {
    WindowResult result = SampleResults.result(SampleResults.WINDOW, SampleResults.values());

    Row row = ResultRow.toRow(POLICY, result);

    assertThat(row.getString("metric"), is("revenue-per-store"));
    assertThat(row.getDateTime("windowStart"), is(SampleResults.WINDOW.start()));
    assertThat(row.getDateTime("windowEnd"), is(SampleResults.WINDOW.end()));
    assertThat(row.getString("windowType"), is("FIXED"));
    assertThat(row.getString("clock"), is("EVENT_TIME"));
    assertThat(row.getString("resultKind"), is("LATE_UPDATE"));
    assertThat(row.getInt64("firingSequence"), is(2L));
    assertThat(row.getBoolean("isLast"), is(false));
    assertThat(row.getDateTime("watermarkAtComputation"), is(result.watermark()));
    assertThat(row.getDateTime("computedAt"), is(result.computedAt()));
    assertThat(row.getString("policyVersion"), is("3"));
    assertThat(row.getString("resultId"), is(ResultJson.resultId(POLICY, result)));
    assertThat(row.getString("periodId"), is(nullValue()));
    assertThat(row.getArray("supersedes"), is(empty()));
    assertThat(row.getString("accumulation"), is("ACCUMULATING"));
    assertThat(row.getArray("corrects"), is(empty()));
    assertThat(row(row, "key").getValues(), contains("s-1", "7"));
  }

  @Test
  void valuesHaveTheTypesOfTheirAggregates() {
    Row row =
        ResultRow.toRow(POLICY, SampleResults.result(SampleResults.WINDOW, SampleResults.values()));

    Row value = row(row, "value");
    assertThat(value.getInt64("orders"), is(3L));
    assertThat(value.getDecimal("revenue"), is(new BigDecimal("547.50")));
    assertThat(value.getDecimal("most"), is(new BigDecimal("1E-9")));
    assertThat(value.getDecimal("p99"), is(new BigDecimal("0.1")));
    assertThat(value.getInt64("buyers"), is(2L));
    assertThat(value.getInt64("span"), is(1_500L));
    assertThat(value.getString("first"), is("a \"b\""));
    assertThat(value.getString("last"), is("true"));
    assertThat(
        value.<Row>getArray("top").stream().map(Row::getValues).map(Object::toString).toList(),
        contains("[x, 2]", "[1.50, 1]"));
  }

  @Test
  void anOlderResultThatIsTakenBackLacksTheValuesOfAggregatesThatCameLater() {
    WindowResult older =
        SampleResults.result(SampleResults.WINDOW, SampleResults.values().subList(0, 1));

    Row value = row(ResultRow.toRow(POLICY, older), "value");

    assertThat(value.getInt64("orders"), is(3L));
    assertThat(value.getDecimal("revenue"), is(nullValue()));
    assertThat(value.getArray("top"), is(nullValue()));
  }

  @Test
  void whatOnlySomeResultsHaveIsInTheRowToo() {
    Policy policy = SampleResults.policy(SampleResults.PERIODS, Accumulation.DISCARDING);

    Row row = ResultRow.toRow(policy, SampleResults.fullResult());

    assertThat(row.getString("periodId"), is("2026-P07"));
    assertThat(row.getString("calendarVersion"), is("v2"));
    Row superseded = row.<Row>getArray("supersedes").iterator().next();
    assertThat(superseded.getDateTime("windowStart"), is(SampleResults.EARLIER.start()));
    assertThat(superseded.getDateTime("windowEnd"), is(SampleResults.EARLIER.end()));
    assertThat(row.getString("accumulation"), is("DISCARDING"));
    assertThat(row.getString("accumulators"), is("QUJD"));
    assertThat(row.getArray("corrects"), contains("0a", "0b"));
  }

  static Stream<Row> rows() {
    return Stream.of(
        ResultRow.toRow(POLICY, SampleResults.result(SampleResults.WINDOW, SampleResults.values())),
        ResultRow.toRow(
            SampleResults.policy(new Windowing.Global(), Accumulation.ACCUMULATING),
            SampleResults.result(null, SampleResults.noValues())),
        ResultRow.toRow(
            SampleResults.policy(SampleResults.PERIODS, Accumulation.DISCARDING),
            SampleResults.fullResult()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void anyRowSurvivesItsCoder(Row row) throws Exception {
    CoderProperties.coderDecodeEncodeEqual(RowCoder.of(row.getSchema()), row);
  }

  private static Row row(Row row, String field) {
    return Objects.requireNonNull(row.getRow(field));
  }

  private static Schema nested(Schema schema, String field) {
    return Objects.requireNonNull(schema.getField(field).getType().getRowSchema());
  }

  private static String types(Schema schema) {
    return schema.getFields().stream()
        .map(
            field ->
                field.getName()
                    + " "
                    + field.getType().getTypeName()
                    + (field.getType().getNullable() ? "?" : ""))
        .collect(Collectors.joining(", "));
  }
}
