package dev.tidemark.pipelines.kafka;

import dev.tidemark.event.EventKey;
import dev.tidemark.policy.Policy;
import dev.tidemark.transforms.NewestResults;
import dev.tidemark.transforms.ResultJson;
import dev.tidemark.transforms.ResultScope;
import dev.tidemark.transforms.ResultWindow;
import dev.tidemark.transforms.ResultWindowCoder;
import dev.tidemark.transforms.WindowClosing;
import dev.tidemark.transforms.WindowResult;
import dev.tidemark.transforms.WindowResultCoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.coders.MapCoder;
import org.apache.beam.sdk.coders.NullableCoder;
import org.apache.beam.sdk.coders.VarLongCoder;
import org.apache.beam.sdk.state.StateSpec;
import org.apache.beam.sdk.state.StateSpecs;
import org.apache.beam.sdk.state.TimeDomain;
import org.apache.beam.sdk.state.Timer;
import org.apache.beam.sdk.state.TimerSpec;
import org.apache.beam.sdk.state.TimerSpecs;
import org.apache.beam.sdk.state.ValueState;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest value of each key and window in a compacted topic: the last record of a record
 * key is the newest result, or a tombstone where none stands any more.
 *
 * <p>The step that knows what has been sent is the one that sends. A runner works on one key in one
 * place at a time, but may let two later steps overtake each other; so a sink of Beam's own, behind
 * this step, could leave an older result as the last record. A bundle ends once the broker has all
 * that it sent, so the next bundle of a key comes after it in the topic too. A bundle that is tried
 * again sends the same again, and ends with the newest.
 */
final class WriteLatest extends PTransform<PCollection<WindowResult>, PDone> {
  private final Policy policy;
  private final String topic;
  private final Map<String, Object> producer;

  private WriteLatest(Policy policy, String topic, Map<String, Object> producer) {
    this.policy = policy;
    this.topic = topic;
    this.producer = producer;
  }

  /**
   * Sends the newest results of a policy to a topic.
   *
   * @param producer the settings of Kafka's producer
   */
  static WriteLatest of(Policy policy, String topic, Map<String, Object> producer) {
    return new WriteLatest(policy, topic, producer);
  }

  @Override
  public PDone expand(PCollection<WindowResult> results) {
    results
        .apply("Outlive windows", Window.into(new GlobalWindows()))
        .apply("Key by window", ParDo.of(new KeyByWindow(policy)))
        .setCoder(KvCoder.of(ResultScope.CODER, WindowResultCoder.of()))
        .apply("Send newest", ParDo.of(new SendNewest(policy, topic, producer)));
    return PDone.in(results.getPipeline());
  }

  /** Keys each result by its {@link ResultScope}. */
  static final class KeyByWindow
      extends DoFn<WindowResult, KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>> {
    private final Policy policy;

    KeyByWindow(Policy policy) {
      this.policy = policy;
    }

    @ProcessElement
    public void process(
        @Element WindowResult result,
        @Timestamp Instant timestamp,
        OutputReceiver<KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>> out) {
      Instant closing = WindowClosing.of(result.window(), policy.allowedLateness());
      out.outputWithTimestamp(
          KV.of(ResultScope.of(policy, result.key(), result.window()), result),
          closing.isBefore(timestamp)
              ? timestamp
              : closing); // a retraction comes when its cause does
    }
  }

  static final class SendNewest
      extends DoFn<KV<KV<EventKey, @Nullable ResultWindow>, WindowResult>, Void> {
    /** Where bundles are large, they are sent in parts. */
    private static final int MAX_UNSENT = 1_000;

    private final Policy policy;
    private final String topic;
    private final Map<String, Object> producerSettings;
    private transient @Nullable Producer<byte[], byte[]> producer;
    private transient Map<String, @Nullable String> unsent = new LinkedHashMap<>();

    @StateId("newest")
    private final StateSpec<ValueState<Map<@Nullable ResultWindow, Long>>> newestSpec =
        StateSpecs.value(MapCoder.of(NullableCoder.of(ResultWindowCoder.of()), VarLongCoder.of()));

    @TimerId("forget")
    private final TimerSpec forgetSpec = TimerSpecs.timer(TimeDomain.EVENT_TIME);

    SendNewest(Policy policy, String topic, Map<String, Object> producerSettings) {
      this.policy = policy;
      this.topic = topic;
      this.producerSettings = producerSettings;
    }

    @Setup
    public void setUp() {
      producer =
          new KafkaProducer<>(
              producerSettings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @StartBundle
    public void startBundle() {
      unsent = new LinkedHashMap<>();
    }

    @ProcessElement
    public void process(
        @Element KV<KV<EventKey, @Nullable ResultWindow>, WindowResult> element,
        @AlwaysFetched @StateId("newest") ValueState<Map<@Nullable ResultWindow, Long>> state,
        @TimerId("forget") Timer forget)
        throws IOException, InterruptedException {
      NewestResults newest = new NewestResults(read(state));
      newest.take(element.getValue()).forEach((window, now) -> put(element.getKey(), window, now));
      remember(newest.ranks(), state, forget);
      if (unsent.size() >= MAX_UNSENT) {
        send();
      }
    }

    private void put(
        KV<EventKey, @Nullable ResultWindow> key,
        @Nullable ResultWindow window,
        @Nullable WindowResult now) {
      unsent.put(
          ResultJson.subject(policy, key.getKey(), window),
          now == null ? null : ResultJson.line(policy, now));
    }

    @FinishBundle
    public void finishBundle() throws IOException, InterruptedException {
      send();
    }

    /** Returns once the broker has it all. */
    private void send() throws IOException, InterruptedException {
      List<Future<?>> underWay = new ArrayList<>();
      Producer<byte[], byte[]> to = Objects.requireNonNull(producer);
      unsent.forEach(
          (key, value) ->
              underWay.add(
                  to.send(
                      new ProducerRecord<>(
                          topic,
                          KafkaRecords.utf8(key),
                          value == null ? null : KafkaRecords.utf8(value)))));
      unsent.clear();
      to.flush();
      for (Future<?> sent : underWay) {
        try {
          sent.get();
        } catch (ExecutionException e) {
          throw new IOException("topic " + topic + ": " + e.getCause(), e.getCause());
        }
      }
    }

    @OnTimer("forget")
    public void forget(
        OnTimerContext context,
        @AlwaysFetched @StateId("newest") ValueState<Map<@Nullable ResultWindow, Long>> state,
        @TimerId("forget") Timer forget) {
      Map<@Nullable ResultWindow, Long> newest = read(state);
      newest.keySet().removeIf(window -> !closed(window).isAfter(context.fireTimestamp()));
      remember(newest, state, forget);
    }

    private static Map<@Nullable ResultWindow, Long> read(
        ValueState<Map<@Nullable ResultWindow, Long>> state) {
      Map<@Nullable ResultWindow, Long> newest = state.read();
      return newest == null ? new HashMap<>() : new HashMap<>(newest);
    }

    private void remember(
        Map<@Nullable ResultWindow, Long> newest,
        ValueState<Map<@Nullable ResultWindow, Long>> state,
        Timer forget) {
      if (newest.isEmpty()) {
        state.clear();
        return;
      }
      state.write(newest);
      newest.keySet().stream()
          .map(this::closed)
          .min(Instant::compareTo)
          .ifPresent(next -> forget.withNoOutputTimestamp().set(next));
    }

    private Instant closed(@Nullable ResultWindow window) {
      return WindowClosing.ofLast(window, policy.allowedLateness());
    }

    @Teardown
    public void tearDown() {
      if (producer != null) {
        producer.close();
      }
    }
  }
}
