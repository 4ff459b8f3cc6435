package dev.tidemark.benchmarks.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_set;
import static org.apache.spark.sql.functions.concat_ws;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.session_window;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.unix_millis;
import static org.apache.spark.sql.functions.window;

import dev.tidemark.benchmarks.plain.Job;
import java.nio.file.Files;
import java.time.Duration;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The jobs in Spark's Structured Streaming, as one would write them who knows it: a schema of just
 * what the job needs, Spark's own JSON reader and functions, as many shuffle partitions as cores,
 * all files in one micro-batch, whose result is complete at its end.
 */
public final class SparkPeer {

  private SparkPeer() {}

  /**
   * Runs a job in this process.
   *
   * @param args the job, the directory of the clicks, that of the answer, the parallelism, and the
   *     directory of Spark's event log
   */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Job job = Job.valueOf(args[0]);
    try (SparkSession spark = session(args[3], args[4])) {
      answer(job, clicks(spark, job, args[1]))
          .writeStream()
          .outputMode(OutputMode.Complete())
          .trigger(Trigger.AvailableNow())
          .option("checkpointLocation", Files.createTempDirectory("spark").toString())
          .foreachBatch(
              (VoidFunction2<Dataset<Row>, Long>)
                  (rows, batch) -> rows.write().mode("overwrite").text(args[2]))
          .start()
          .awaitTermination();
    }
    System.out.printf("job seconds: %.3f%n", (System.nanoTime() - start) / 1e9);
  }

  private static SparkSession session(String parallelism, String eventLog) {
    return SparkSession.builder()
        .master("local[" + parallelism + "]")
        .config("spark.sql.shuffle.partitions", parallelism)
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.enabled", false)
        .config("spark.eventLog.enabled", true)
        .config("spark.eventLog.dir", eventLog)
        .getOrCreate();
  }

  private static Dataset<Row> clicks(SparkSession spark, Job job, String input) {
    StructType schema =
        new StructType().add("ts", DataTypes.TimestampType).add(job.key(), DataTypes.StringType);
    if (job.value() != null) {
      schema =
          schema.add(
              job.value(), job.value().equals("bytes") ? DataTypes.LongType : DataTypes.StringType);
    }
    return spark.readStream().schema(schema).json(input).withWatermark("ts", text(Job.DISORDER));
  }

  private static Dataset<Row> answer(Job job, Dataset<Row> clicks) {
    return clicks
        .groupBy(col(job.key()), windows(job).as("w"))
        .agg(value(job).as("value"))
        .select(
            concat_ws(
                ",",
                col(job.key()),
                unix_millis(col("w.start")),
                unix_millis(col("w.end")),
                col("value")));
  }

  private static Column windows(Job job) {
    Column time = col("ts");
    return switch (job) {
      case J1, J4, J5, J6 -> window(time, text(job.fixed()));
      case J2 -> window(time, text(Job.SLIDING), text(Job.EVERY));
      case J3 -> session_window(time, text(Job.GAP));
    };
  }

  private static Column value(Job job) {
    return switch (job) {
      case J1, J5, J6 -> concat_ws(",", count(lit(1)), sum("bytes"));
      case J2, J3 -> count(lit(1));
      // Streams have no exact count of distinct values of their own.
      case J4 -> size(collect_set("user"));
    };
  }

  private static String text(Duration duration) {
    return duration.toSeconds() + " seconds";
  }
}
