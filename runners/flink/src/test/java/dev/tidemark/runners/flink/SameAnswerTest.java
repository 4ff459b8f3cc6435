package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.SameAnswerContract;

/** Files on Flink. */
class SameAnswerTest extends SameAnswerContract {

  SameAnswerTest() {
    super("--runner=FlinkRunner", "--parallelism=2");
  }
}
