package dev.tidemark.gcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import com.google.api.services.bigquery.model.TableRow;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.Scalar;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyLoader;
import dev.tidemark.testkit.PipelineExtension;
import dev.tidemark.testkit.ReferenceModel;
import dev.tidemark.testkit.ReferenceModel.KeyedWindow;
import dev.tidemark.testkit.Scenario;
import dev.tidemark.testkit.ScriptedPipeline;
import dev.tidemark.transforms.AggregateValue;
import dev.tidemark.transforms.InModelTerms;
import dev.tidemark.transforms.ResultKind;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import dev.tidemark.transforms.WindowedAggregation;
import dev.tidemark.transforms.lateness.LatenessGate;
import dev.tidemark.transforms.reconcile.ResultLine;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryIO;
import org.apache.beam.sdk.io.gcp.bigquery.RowMutation;
import org.apache.beam.sdk.transforms.Create;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/** The latest table ends as the latest view of the reference model. */
class LatestTableTest {
  private static final Instant RUN = Instant.parse("2026-07-04T10:00:00Z");
  private static final EventKey KEY = new EventKey(List.of(new Scalar.Text("a")));
  private static final ResultWindow WHOLE = minutes(0, 10);
  private static final ResultWindow PART = minutes(2, 5);

  private final FakeBigQuery bigQuery = new FakeBigQuery();

  @Provide
  Arbitrary<Scenario> scenarios() {
    return Scenario.any();
  }

  @Property(tries = 40)
  void aRowIsTheNewestValueOfItsKeyAndWindow(@ForAll("scenarios") Scenario scenario)
      throws Exception {
    FakeBigQuery ofTry = new FakeBigQuery();
    ScriptedPipeline script = ScriptedPipeline.of(scenario.steps());
    script
        .events()
        .apply("Aggregate", WindowedAggregation.of(scenario.policy()))
        .results()
        .apply("Upsert latest results", upsert(ofTry, scenario.policy(), RUN));
    var unused = script.run();

    assertThat(
        view(ofTry),
        is(
            ReferenceModel.latestView(
                ReferenceModel.run(scenario.policy(), scenario.steps(), LatenessGate.MARGIN)
                    .results())));
  }

  @Example
  void anOlderResultThatComesLaterReplacesNothing() throws Exception {
    write(RUN, result(WHOLE, ResultKind.LATE_UPDATE, 2, 20));
    write(RUN, result(WHOLE, ResultKind.FINAL, 1, 10));
    assertThat(values(), contains("20"));
  }

  @Example
  void theSameResultTwiceIsOneRow() throws Exception {
    write(RUN, result(WHOLE, ResultKind.FINAL, 1, 10));
    write(RUN, result(WHOLE, ResultKind.FINAL, 1, 10));
    assertThat(values(), contains("10"));
  }

  @Example
  void aRetractionDeletesUnlessSomethingNewerStands() throws Exception {
    write(RUN, result(WHOLE, ResultKind.FINAL, 1, 10));
    write(RUN, result(WHOLE, ResultKind.RETRACTION, 1, 10));
    assertThat(values(), is(empty()));
    write(RUN, result(WHOLE, ResultKind.LATE_UPDATE, 2, 20));
    write(RUN, result(WHOLE, ResultKind.RETRACTION, 1, 10));
    assertThat(values(), contains("20"));
  }

  @Example
  void aSessionThatWasTakenInIsGoneEvenIfItComesLater() throws Exception {
    WindowResult part = result(PART, ResultKind.FINAL, 5, 10);
    write(RUN, part);
    write(RUN, result(WHOLE, ResultKind.FINAL, 1, 20).superseding(List.of(PART)));
    write(RUN, part);
    assertThat(values(), contains("20"));
  }

  @Example
  void aRunThatBeginsAnewReplacesWhatAnEarlierOneWrote() throws Exception {
    write(RUN, result(WHOLE, ResultKind.LATE_UPDATE, 7, 10));
    write(RUN.plus(Duration.standardSeconds(1)), result(WHOLE, ResultKind.FINAL, 1, 20));
    assertThat(values(), contains("20"));
  }

  private void write(Instant started, WindowResult result) throws Exception {
    Policy policy =
        PolicyLoader.load(Path.of("../testdata/policies/visits-per-user.yaml").toString());
    Pipeline pipeline = PipelineExtension.newPipeline();
    pipeline
        .apply(Create.of(result).withCoder(WindowResultCoder.of()))
        .apply("Upsert", upsert(bigQuery, policy, started));
    pipeline.run().waitUntilFinish();
  }

  private static UpsertLatest upsert(FakeBigQuery bigQuery, Policy policy, Instant started)
      throws Exception {
    return UpsertLatest.of(
        policy,
        "table latest",
        BigQueryIO.<RowMutation>write()
            .to(bigQuery.reference("latest"))
            .withSchema(ResultTable.schema(List.of(policy)))
            .withTestServices(bigQuery.services()),
        started);
  }

  private static Map<KeyedWindow, List<@Nullable Object>> view(FakeBigQuery bigQuery)
      throws Exception {
    Map<KeyedWindow, List<@Nullable Object>> view = new HashMap<>();
    for (String line : bigQuery.linesIfAny("latest")) {
      WindowResult result = ResultLine.parse(line).result();
      view.put(
          new KeyedWindow(result.key(), InModelTerms.window(result.window())),
          InModelTerms.values(result.value()));
    }
    return view;
  }

  private List<String> values() throws Exception {
    return bigQuery.rows("latest").stream()
        .map(row -> String.valueOf(((TableRow) row.get("value")).get("clicks")))
        .toList();
  }

  private static WindowResult result(
      ResultWindow window, ResultKind kind, long firing, long count) {
    return new WindowResult(
        KEY,
        window,
        kind,
        firing,
        false,
        null,
        RUN,
        List.of(new AggregateValue.Single(new Scalar.Num(BigDecimal.valueOf(count)))),
        List.of(),
        null,
        List.of());
  }

  private static ResultWindow minutes(int start, int end) {
    return new ResultWindow(
        RUN.plus(Duration.standardMinutes(start)), RUN.plus(Duration.standardMinutes(end)));
  }
}
