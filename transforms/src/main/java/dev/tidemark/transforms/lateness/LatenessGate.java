package dev.tidemark.transforms.lateness;

import dev.tidemark.event.WallClock;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.VarIntCoder;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.AfterPane;
import org.apache.beam.sdk.transforms.windowing.AfterWatermark;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.transforms.windowing.TimestampCombiner;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.PCollectionTuple;
import org.apache.beam.sdk.values.PInput;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.PValue;
import org.apache.beam.sdk.values.TimestampedValue;
import org.apache.beam.sdk.values.TimestampedValue.TimestampedValueCoder;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TupleTagList;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.joda.time.Duration;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Parts the elements that their windows still take from those that came too late, so that none is
 * lost: Beam itself drops an expired element inside {@code GroupByKey} and stateful {@code ParDo}
 * with no more than a counter.
 *
 * <p>Put it right behind {@link Window#into}, before the aggregation:
 *
 * <pre>{@code
 * LatenessGate.Output<Click> judged =
 *     clicks
 *         .apply(Window.<Click>into(FixedWindows.of(size)).withAllowedLateness(lateness)…)
 *         .apply(LatenessGate.of());
 * judged.inTime().apply(Count.perElement());
 * judged.tooLate().apply(…);
 * }</pre>
 *
 * <p>It judges each (element, window) apart: an element of ten sliding windows may be too late for
 * three of them and in time for the others. It works for every {@code WindowFn}; of a session, it
 * judges the element's own window before any merge, as Beam does. Elements of the global window are
 * never too late. Do not use it where losing late data is meant, or behind an aggregation.
 *
 * <p><b>Why it is correct by the Beam model.</b> A pane's {@code Timing} is {@code EARLY} exactly
 * while the watermark has not passed the end of its window. The gate puts each element into a
 * window of its own making that ends when its original closes for good, at the end plus the allowed
 * lateness, and groups there, firing for each element; so {@code EARLY} says in time, and every
 * other timing says too late. That grouping never drops anything, since its own allowed lateness
 * has no end. Elements in the gate hold the watermark at their own event time, so that one that was
 * in time is not made late by the gate. The output keeps its windows {@link #MARGIN} longer than
 * the input's allowed lateness, so that an element let through cannot expire on its way.
 *
 * <p><b>What runners do.</b> On the DirectRunner, and on the FlinkRunner with a bundle size of one,
 * the judgement is exact for each element; where a runner bundles, the watermark stands still
 * within a bundle, and so does the judgement. Batch runners ignore triggers and have no lateness:
 * bounded input passes through unjudged.
 *
 * <p><b>Suspects.</b> Where the watermark cannot pass the wall clock, which holds for sources whose
 * events are guarded against stamps from the future, a window that closes after the present instant
 * cannot have missed anything. {@link #withWallClock} lets such elements pass without the grouping;
 * only suspects pay. State: the runner keeps a small entry for each shard and window that suspects
 * were judged in, for the life of the job.
 *
 * @param <T> the element type
 */
public final class LatenessGate<T> extends PTransform<PCollection<T>, LatenessGate.Output<T>> {

  /** How much longer than judged the windows behind the gate stay. */
  public static final Duration MARGIN = Duration.standardMinutes(1);

  /** Parallelism of the judgement, for each window. */
  private static final int SHARDS = 16;

  private static final Duration WITHOUT_END =
      Duration.millis(BoundedWindow.TIMESTAMP_MAX_VALUE.getMillis());

  private final @Nullable WallClock clock;

  private LatenessGate(@Nullable WallClock clock) {
    this.clock = clock;
  }

  /** Judges every element. */
  public static <T> LatenessGate<T> of() {
    return new LatenessGate<>(null);
  }

  /**
   * Judges only suspects. Only where the input's watermark cannot pass this clock.
   *
   * @param clock the wall clock
   */
  public LatenessGate<T> withWallClock(WallClock clock) {
    return new LatenessGate<>(clock);
  }

  @Override
  public Output<T> expand(PCollection<T> input) {
    WindowingStrategy<?, ?> strategy = input.getWindowingStrategy();
    if (input.isBounded() == IsBounded.BOUNDED || strategy.getWindowFn() instanceof GlobalWindows) {
      return passThrough(input);
    }
    return judge(input, strategy.getWindowFn().windowCoder());
  }

  private Output<T> passThrough(PCollection<T> input) {
    Coder<BoundedWindow> windows = uncheckedWindowCoder(input);
    PCollection<TooLateElement<T>> none =
        input.getPipeline().apply("Nothing too late", Create.empty(tooLateCoder(input, windows)));
    return new Output<>(input, none);
  }

  private <W extends BoundedWindow> Output<T> judge(PCollection<T> input, Coder<W> windowCoder) {
    Duration allowedLateness = input.getWindowingStrategy().getAllowedLateness();
    WindowingStrategy<?, ?> output =
        input.getWindowingStrategy().withAllowedLateness(allowedLateness.plus(MARGIN));

    PCollectionTuple parted =
        input.apply("Find suspects", FindSuspects.parDo(allowedLateness, clock));
    PCollectionTuple judged =
        parted
            .get(FindSuspects.<T>suspects())
            .setCoder(suspectCoder(input))
            .apply("Extend windows", extendWindows(windowCoder, allowedLateness))
            .apply("Group suspects", GroupByKey.create())
            .apply("Judge", Judge.parDo());
    PCollection<T> acquitted =
        judged
            .get(Judge.<T>inTime())
            .setCoder(input.getCoder())
            .setWindowingStrategyInternal(output);
    PCollection<T> passed =
        parted
            .get(FindSuspects.<T>passed())
            .setCoder(input.getCoder())
            .setWindowingStrategyInternal(output);
    PCollection<TooLateElement<T>> tooLate =
        judged
            .get(Judge.<T>tooLate())
            .setCoder(tooLateCoder(input, uncheckedWindowCoder(input)))
            .apply("Forget windows", Window.into(new GlobalWindows()));
    return new Output<>(
        PCollectionList.of(passed).and(acquitted).apply("All in time", Flatten.pCollections()),
        tooLate);
  }

  private static <T, W extends BoundedWindow>
      Window<KV<Integer, TimestampedValue<T>>> extendWindows(
          Coder<W> windowCoder, Duration allowedLateness) {
    return Window.<KV<Integer, TimestampedValue<T>>>into(
            new ExtendWindows<>(windowCoder, allowedLateness))
        .triggering(
            AfterWatermark.pastEndOfWindow()
                .withEarlyFirings(AfterPane.elementCountAtLeast(1))
                .withLateFirings(AfterPane.elementCountAtLeast(1)))
        .withOnTimeBehavior(Window.OnTimeBehavior.FIRE_IF_NON_EMPTY)
        .withAllowedLateness(WITHOUT_END, Window.ClosingBehavior.FIRE_IF_NON_EMPTY)
        .withTimestampCombiner(TimestampCombiner.EARLIEST)
        .discardingFiredPanes();
  }

  private static <T> Coder<KV<Integer, TimestampedValue<T>>> suspectCoder(PCollection<T> input) {
    return KvCoder.of(VarIntCoder.of(), TimestampedValueCoder.of(input.getCoder()));
  }

  private static <T> Coder<TooLateElement<T>> tooLateCoder(
      PCollection<T> input, Coder<BoundedWindow> windowCoder) {
    return new TooLateElement.ElementCoder<>(input.getCoder(), windowCoder);
  }

  @SuppressWarnings("unchecked") // encodes only windows that the same strategy assigned
  private static Coder<BoundedWindow> uncheckedWindowCoder(PCollection<?> input) {
    return (Coder<BoundedWindow>) input.getWindowingStrategy().getWindowFn().windowCoder();
  }

  /** Lets pass what cannot be too late; observes the window, so that each is looked at apart. */
  static final class FindSuspects<T> extends DoFn<T, T> {
    private static final TupleTag<?> PASSED = new TupleTag<>("passed");
    private static final TupleTag<?> SUSPECTS = new TupleTag<>("suspects");

    private final Duration allowedLateness;
    private final @Nullable WallClock clock;
    private transient int shard; // in turn: to hash an element may cost more than to judge it

    private FindSuspects(Duration allowedLateness, @Nullable WallClock clock) {
      this.allowedLateness = allowedLateness;
      this.clock = clock;
    }

    static <T> ParDo.MultiOutput<T, T> parDo(Duration allowedLateness, @Nullable WallClock clock) {
      return ParDo.of(new FindSuspects<T>(allowedLateness, clock))
          .withOutputTags(passed(), TupleTagList.of(FindSuspects.<T>suspects()));
    }

    @SuppressWarnings("unchecked") // tags are the same for every T
    static <T> TupleTag<T> passed() {
      return (TupleTag<T>) PASSED;
    }

    @SuppressWarnings("unchecked") // tags are the same for every T
    static <T> TupleTag<KV<Integer, TimestampedValue<T>>> suspects() {
      return (TupleTag<KV<Integer, TimestampedValue<T>>>) SUSPECTS;
    }

    @ProcessElement
    public void process(
        @Element T element,
        @Timestamp Instant timestamp,
        BoundedWindow window,
        MultiOutputReceiver out) {
      if (isSuspect(window)) {
        shard = (shard + 1) % SHARDS;
        out.get(FindSuspects.<T>suspects())
            .output(KV.of(shard, TimestampedValue.of(element, timestamp)));
      } else {
        out.get(FindSuspects.<T>passed()).output(element);
      }
    }

    private boolean isSuspect(BoundedWindow window) {
      return clock == null || !ExtendWindows.deadline(window, allowedLateness).isAfter(clock.now());
    }
  }

  /** Reads the judgement off the pane, and gives each element its own time and window back. */
  static final class Judge<T> extends DoFn<KV<Integer, Iterable<TimestampedValue<T>>>, T> {
    private static final TupleTag<?> IN_TIME = new TupleTag<>("inTime");
    private static final TupleTag<?> TOO_LATE = new TupleTag<>("tooLate");

    static <T> ParDo.MultiOutput<KV<Integer, Iterable<TimestampedValue<T>>>, T> parDo() {
      return ParDo.of(new Judge<T>()).withOutputTags(inTime(), TupleTagList.of(Judge.<T>tooLate()));
    }

    @SuppressWarnings("unchecked") // tags are the same for every T
    static <T> TupleTag<T> inTime() {
      return (TupleTag<T>) IN_TIME;
    }

    @SuppressWarnings("unchecked") // tags are the same for every T
    static <T> TupleTag<TooLateElement<T>> tooLate() {
      return (TupleTag<TooLateElement<T>>) TOO_LATE;
    }

    @ProcessElement
    public void process(
        @Element KV<Integer, Iterable<TimestampedValue<T>>> suspects,
        BoundedWindow window,
        PaneInfo pane,
        MultiOutputReceiver out) {
      BoundedWindow original = ((ExtendedWindow<?>) window).original();
      for (TimestampedValue<T> suspect : suspects.getValue()) {
        if (pane.getTiming() == PaneInfo.Timing.EARLY) {
          out.get(Judge.<T>inTime())
              .outputWindowedValue(
                  suspect.getValue(),
                  suspect.getTimestamp(),
                  List.of(original),
                  PaneInfo.NO_FIRING);
        } else {
          out.get(Judge.<T>tooLate())
              .output(new TooLateElement<>(suspect.getValue(), suspect.getTimestamp(), original));
        }
      }
    }

    /** A pane may be stamped later than the elements in it. */
    @Override
    @Deprecated
    public Duration getAllowedTimestampSkew() {
      return WITHOUT_END;
    }
  }

  /**
   * The two outputs.
   *
   * @param inTime in the input's windows, with {@link #MARGIN} more allowed lateness
   * @param tooLate in the global window, so that it cannot itself be late for anything
   */
  public record Output<T>(PCollection<T> inTime, PCollection<TooLateElement<T>> tooLate)
      implements POutput {
    @Override
    public Pipeline getPipeline() {
      return inTime.getPipeline();
    }

    @Override
    public Map<TupleTag<?>, PValue> expand() {
      return Map.of(Judge.inTime(), inTime, Judge.tooLate(), tooLate);
    }

    @Override
    public void finishSpecifyingOutput(
        String transformName, PInput input, PTransform<?, ?> transform) {}
  }
}
