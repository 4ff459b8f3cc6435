package dev.tidemark.pipelines.kafka;

/** Topics on DirectRunner. */
class TopicToTopicsTest extends TopicToTopicsContract {

  TopicToTopicsTest() {
    super("--runner=DirectRunner", "--targetParallelism=1");
  }
}
