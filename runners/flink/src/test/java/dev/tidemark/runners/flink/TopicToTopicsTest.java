package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.kafka.TopicToTopicsContract;

/** Topics on Flink, in one process. */
class TopicToTopicsTest extends TopicToTopicsContract {

  TopicToTopicsTest() {
    super("--runner=FlinkRunner", "--parallelism=2");
  }
}
