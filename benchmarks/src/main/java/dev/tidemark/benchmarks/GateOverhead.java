package dev.tidemark.benchmarks;

import dev.tidemark.dlq.ParseEvents;
import dev.tidemark.event.Event;
import dev.tidemark.event.EventKey;
import dev.tidemark.event.EventKeyCoder;
import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import dev.tidemark.policy.Accumulation;
import dev.tidemark.policy.Aggregate;
import dev.tidemark.policy.Pointer;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.TooLate;
import dev.tidemark.policy.Trigger;
import dev.tidemark.policy.Windowing;
import dev.tidemark.testkit.Counters;
import dev.tidemark.testkit.Policies;
import dev.tidemark.testkit.UnboundedNumbers;
import dev.tidemark.transforms.lateness.LatenessGate;
import dev.tidemark.transforms.windowing.PolicyWindow;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.runners.direct.DirectOptions;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Sum;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Duration;
import org.joda.time.Instant;

/**
 * What {@link LatenessGate#withWallClock} adds to a pipeline on DirectRunner whose events all come
 * in time, so that none is a suspect: JSON records from an unbounded source are parsed, windowed
 * and summed per key, with the gate and without it in turn. Prints the median of each in
 * milliseconds of wall time and of the process's CPU time, which a busy machine disturbs less.
 *
 * <pre>
 * mvn -B -pl benchmarks -am package -DskipTests dependency:copy-dependencies -DoutputDirectory=target/lib
 * java -cp 'benchmarks/target/classes:benchmarks/target/lib/*' dev.tidemark.benchmarks.GateOverhead 1000000 7
 * </pre>
 *
 * <p>The arguments are the number of events and of runs of each kind.
 */
public final class GateOverhead {
  private static final int EVENTS_A_BLOCK = 100;
  private static final int KEYS = 1_000;
  private static final Policy POLICY =
      Policies.of(
          new Windowing.Fixed(Duration.standardMinutes(1), Duration.ZERO),
          Trigger.DEFAULT,
          Duration.standardHours(1),
          Accumulation.ACCUMULATING,
          TooLate.QUARANTINE,
          Map.of("sum", new Aggregate.Sum(new Pointer("/v"))));

  private GateOverhead() {}

  /** Runs the benchmark. */
  public static void main(String[] args) {
    long blocks = Long.parseLong(args[0]) / EVENTS_A_BLOCK;
    int runs = Integer.parseInt(args[1]);
    run(blocks, true);
    run(blocks, false);
    List<Cost> without = new ArrayList<>();
    List<Cost> with = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      without.add(run(blocks, false));
      with.add(run(blocks, true));
    }
    print(
        "wall", without.stream().map(Cost::wall).toList(), with.stream().map(Cost::wall).toList());
    print("CPU", without.stream().map(Cost::cpu).toList(), with.stream().map(Cost::cpu).toList());
  }

  private static void print(String time, List<Long> without, List<Long> with) {
    long before = median(without);
    long after = median(with);
    System.out.printf(
        "%s: %d ms without the gate, %d ms with it, %+.1f %%%n",
        time, before, after, 100.0 * (after - before) / before);
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** Both in milliseconds. */
  private record Cost(long wall, long cpu) {
    static Cost now() {
      var system =
          ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
      return new Cost(System.nanoTime() / 1_000_000, system.getProcessCpuTime() / 1_000_000);
    }

    Cost since(Cost start) {
      return new Cost(wall - start.wall, cpu - start.cpu);
    }
  }

  private static Cost run(long blocks, boolean gated) {
    Pipeline pipeline = Pipeline.create(options());
    Instant start = Instant.now().minus(Duration.standardMinutes(5));
    PCollection<Event> windowed =
        pipeline
            .apply(
                "Read",
                Read.from(
                    UnboundedNumbers.of(
                        blocks, block -> time(start, block), block -> time(start, block))))
            .apply("Write records", ParDo.of(new WriteRecords()))
            .setCoder(RawRecordCoder.of())
            .apply("Parse", ParseEvents.of(POLICY))
            .events()
            .apply("Assign windows", PolicyWindow.of(POLICY));
    PCollection<Event> inTime =
        gated
            ? windowed
                .apply("Judge", LatenessGate.<Event>of().withWallClock(WallClock.SYSTEM))
                .inTime()
            : windowed;
    inTime
        .apply("Take values", ParDo.of(new TakeValues()))
        .setCoder(KvCoder.of(EventKeyCoder.of(), VarLongCoder.of()))
        .apply("Sum", Sum.longsPerKey());
    Cost before = Cost.now();
    PipelineResult result = pipeline.run();
    result.waitUntilFinish();
    Cost cost = Cost.now().since(before);
    if (Counters.of(result).get("taken") != blocks * EVENTS_A_BLOCK) {
      throw new IllegalStateException("events were lost, or came too late");
    }
    return cost;
  }

  /** The runner's checks of user code cost more than the pipeline does. */
  private static DirectOptions options() {
    DirectOptions options = PipelineOptionsFactory.create().as(DirectOptions.class);
    options.setEnforceEncodability(false);
    options.setEnforceImmutability(false);
    options.setTargetParallelism(1);
    return options;
  }

  private static Instant time(Instant start, long block) {
    return start.plus(Duration.millis(block));
  }

  /** Makes the records of a block of events. */
  static final class WriteRecords extends DoFn<Long, RawRecord> {
    @ProcessElement
    public void process(
        @Element Long block, @Timestamp Instant time, OutputReceiver<RawRecord> out) {
      for (int i = 0; i < EVENTS_A_BLOCK; i++) {
        String json =
            "{\"t\":%d,\"k\":\"key-%d\",\"v\":%d}"
                .formatted(time.getMillis(), (block * EVENTS_A_BLOCK + i) % KEYS, i);
        out.output(
            new RawRecord(
                json.getBytes(StandardCharsets.UTF_8),
                new Origin.FileLine("events.ndjson", i, null),
                time));
      }
    }
  }

  static final class TakeValues extends DoFn<Event, KV<EventKey, Long>> {
    private final Counter taken = Metrics.counter("tidemark", "taken");

    @ProcessElement
    public void process(@Element Event event, OutputReceiver<KV<EventKey, Long>> out) {
      taken.inc();
      out.output(KV.of(event.key(), 1L));
    }
  }
}
