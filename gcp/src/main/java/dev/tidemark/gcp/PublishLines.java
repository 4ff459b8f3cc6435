package dev.tidemark.gcp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubIO;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubMessage;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubMessageWithAttributesCoder;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.SerializableFunction;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PDone;

/**
 * Publishes elements to a topic, each as a message whose data is a line, at least once. A line that
 * no message can hold goes in several, which have the attributes {@code lineId}, {@code part} and
 * {@code parts}: the data of part 1 to the last, put together, is the line.
 *
 * @param <T> the elements
 */
final class PublishLines<T> extends PTransform<PCollection<T>, PDone> {
  /** The attribute by which readers tell a result that comes twice; parts do not have it. */
  static final String RESULT_ID = "resultId";

  /** In base64, as it is sent, some way below the 10 MB that a request may have. */
  static final int MAX_DATA_BYTES = 7_000_000;

  private final String topic;
  private final SerializableFunction<T, String> line;
  private final SerializableFunction<T, Map<String, String>> attributes;

  private PublishLines(
      String topic,
      SerializableFunction<T, String> line,
      SerializableFunction<T, Map<String, String>> attributes) {
    this.topic = topic;
    this.line = line;
    this.attributes = attributes;
  }

  /**
   * Publishes to a topic.
   *
   * @param line an element as one line, without the line's end
   * @param attributes what subscribers filter by, within the limits of Pub/Sub
   */
  static <T> PublishLines<T> of(
      String topic,
      SerializableFunction<T, String> line,
      SerializableFunction<T, Map<String, String>> attributes) {
    return new PublishLines<>(topic, line, attributes);
  }

  @Override
  public PDone expand(PCollection<T> elements) {
    return elements
        .apply("Format", ParDo.of(new FormatFn<>(line, attributes)))
        .setCoder(PubsubMessageWithAttributesCoder.of())
        .apply("Publish", PubsubIO.writeMessages().to(topic));
  }

  /** An element as a message, or as several. */
  static final class FormatFn<T> extends DoFn<T, PubsubMessage> {
    private final SerializableFunction<T, String> line;
    private final SerializableFunction<T, Map<String, String>> attributes;

    FormatFn(
        SerializableFunction<T, String> line,
        SerializableFunction<T, Map<String, String>> attributes) {
      this.line = line;
      this.attributes = attributes;
    }

    @ProcessElement
    public void process(@Element T element, OutputReceiver<PubsubMessage> out) {
      byte[] data = line.apply(element).getBytes(StandardCharsets.UTF_8);
      if (data.length <= MAX_DATA_BYTES) {
        out.output(new PubsubMessage(data, attributes.apply(element)));
      } else {
        outputParts(data, attributes.apply(element), out);
      }
    }

    private static void outputParts(
        byte[] data, Map<String, String> ofLine, OutputReceiver<PubsubMessage> out) {
      int parts = (data.length + MAX_DATA_BYTES - 1) / MAX_DATA_BYTES;
      Map<String, String> attributes = new HashMap<>(ofLine);
      attributes.remove(RESULT_ID); // or a reader that knows results by it would drop all but one
      attributes.put("lineId", UUID.nameUUIDFromBytes(data).toString());
      attributes.put("parts", String.valueOf(parts));
      for (int part = 0; part < parts; part++) {
        int from = part * MAX_DATA_BYTES;
        int to = Math.min(data.length, from + MAX_DATA_BYTES);
        Map<String, String> ofPart = new HashMap<>(attributes);
        ofPart.put("part", String.valueOf(part + 1));
        out.output(new PubsubMessage(Arrays.copyOfRange(data, from, to), ofPart));
      }
    }
  }
}
