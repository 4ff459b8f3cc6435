package dev.tidemark.benchmarks.flink;

import dev.tidemark.benchmarks.plain.Click;
import dev.tidemark.benchmarks.plain.Job;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.WindowedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * The jobs in Flink's DataStream API, as one would write them who knows it: objects reused,
 * accumulators that change in place, tuples of just what the job needs through the shuffle, state
 * on the heap. No checkpoints, but of the job over topics, which takes them as often as Tidemark.
 */
public final class FlinkPeer {
  private static final long CHECKPOINT_MILLIS = 10_000;
  private static final TypeInformation<Tuple2<String, Long>> URL_BYTES =
      Types.TUPLE(Types.STRING, Types.LONG);
  private static final TypeInformation<Tuple2<String, String>> URL_USER =
      Types.TUPLE(Types.STRING, Types.STRING);

  private FlinkPeer() {}

  /**
   * Runs a job in this process.
   *
   * @param args the job, the directory of the clicks, that of the answer, the parallelism, the
   *     directory of Flink's configuration, and STREAMING or BATCH; of a job over topics, topics in
   *     place of the directories, and the bootstrap servers
   */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Job job = Job.valueOf(args[0]);
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.createLocalEnvironment(
            Integer.parseInt(args[3]), GlobalConfiguration.loadConfiguration(args[4]));
    flink.setRuntimeMode(RuntimeExecutionMode.valueOf(args[5]));
    flink.getConfig().enableObjectReuse();
    if (job.isOverTopics()) {
      flink.enableCheckpointing(CHECKPOINT_MILLIS);
      answer(job, Topics.clicks(flink, job, args[6], args[1]))
          .sinkTo(Topics.lines(args[6], args[2]));
    } else {
      answer(job, clicks(flink, job, new Path(args[1])))
          .sinkTo(
              FileSink.<String>forRowFormat(new Path(args[2]), new SimpleStringEncoder<>())
                  .build());
    }
    flink.execute(job.name());
    System.out.printf("job seconds: %.3f%n", (System.nanoTime() - start) / 1e9);
  }

  private static DataStream<Click> clicks(StreamExecutionEnvironment flink, Job job, Path input) {
    return flink
        .fromSource(
            FileSource.forRecordStreamFormat(new TextLineInputFormat(), input).build(),
            WatermarkStrategy.noWatermarks(),
            "Read lines")
        .map(new ParseClick(job))
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Click>forBoundedOutOfOrderness(Job.DISORDER)
                .withTimestampAssigner((click, unused) -> click.time()));
  }

  private static DataStream<String> answer(Job job, DataStream<Click> clicks) {
    return switch (job) {
      case J1, J5 -> bytesByUrl(job, clicks).aggregate(new CountAndSum(), new Line());
      case J2 ->
          byName(clicks.map(Click::url, Types.STRING))
              .window(SlidingEventTimeWindows.of(Job.SLIDING, Job.EVERY))
              .aggregate(new Count(), new Line());
      case J3 ->
          byName(clicks.map(Click::user, Types.STRING))
              .window(EventTimeSessionWindows.withGap(Job.GAP))
              .aggregate(new Count(), new Line());
      case J4 ->
          clicks
              .map(click -> Tuple2.of(click.url(), click.user()), URL_USER)
              .keyBy(click -> click.f0, Types.STRING)
              .window(TumblingEventTimeWindows.of(job.fixed()))
              .aggregate(new DistinctUsers(), new Line());
      case J6 ->
          bytesByUrl(job, clicks)
              .trigger(new EarlyAndLate(Job.EARLY))
              .allowedLateness(Job.LATENESS)
              .aggregate(new CountAndSum(), new Line());
    };
  }

  private static WindowedStream<Tuple2<String, Long>, String, TimeWindow> bytesByUrl(
      Job job, DataStream<Click> clicks) {
    return clicks
        .map(click -> Tuple2.of(click.url(), click.bytes()), URL_BYTES)
        .keyBy(click -> click.f0, Types.STRING)
        .window(TumblingEventTimeWindows.of(job.fixed()));
  }

  private static KeyedStream<String, String> byName(DataStream<String> names) {
    return names.keyBy(name -> name, Types.STRING);
  }
}
