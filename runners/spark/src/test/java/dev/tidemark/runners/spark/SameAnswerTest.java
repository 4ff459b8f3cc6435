package dev.tidemark.runners.spark;

import dev.tidemark.pipelines.SameAnswerContract;

/** Files on Spark. */
class SameAnswerTest extends SameAnswerContract {

  SameAnswerTest() {
    super("--runner=SparkRunner", "--sparkMaster=local[2]");
  }
}
