package dev.tidemark.gcp;

import dev.tidemark.event.Origin;
import dev.tidemark.event.RawRecord;
import dev.tidemark.event.RawRecordCoder;
import dev.tidemark.event.WallClock;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubIO;
import org.apache.beam.sdk.io.gcp.pubsub.PubsubMessage;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.joda.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a subscription, with all that came along with them. The watermark is that of
 * {@link PubsubIO}, or of Dataflow's own source that stands in for it: an estimate by the publish
 * time, or by an attribute, and not by the event time in the data.
 */
final class PubsubSource extends PTransform<PBegin, PCollection<List<RawRecord>>> {
  private final PubsubInput input;
  private final WallClock clock;

  PubsubSource(PubsubInput input, WallClock clock) {
    this.input = input;
    this.clock = clock;
  }

  @Override
  public PCollection<List<RawRecord>> expand(PBegin begin) {
    return begin
        .apply("Read messages", read())
        .apply("To raw records", ParDo.of(new RawRecordFn(input.from(), clock)))
        .setCoder(ListCoder.of(RawRecordCoder.of()));
  }

  private PubsubIO.Read<PubsubMessage> read() {
    PubsubIO.Read<PubsubMessage> read =
        PubsubIO.readMessagesWithAttributesAndMessageIdAndOrderingKey();
    read = input.isTopic() ? read.fromTopic(input.from()) : read.fromSubscription(input.from());
    if (input.timestampAttribute() != null) {
      read = read.withTimestampAttribute(input.timestampAttribute());
    }
    return input.idAttribute() == null ? read : read.withIdAttribute(input.idAttribute());
  }

  static final class RawRecordFn extends DoFn<PubsubMessage, List<RawRecord>> {
    private final String from;
    private final WallClock clock;

    RawRecordFn(String from, WallClock clock) {
      this.from = from;
      this.clock = clock;
    }

    @ProcessElement
    public void convert(
        @Element PubsubMessage message,
        @Timestamp Instant timestamp,
        OutputReceiver<List<RawRecord>> out) {
      Map<String, String> attributes = message.getAttributeMap();
      Origin origin =
          new Origin.Message(
              from,
              message.getMessageId(),
              timestamp,
              textIfAny(message.getOrderingKey()),
              attributes == null ? Map.of() : attributes);
      out.output(List.of(new RawRecord(message.getPayload(), origin, clock.now())));
    }

    /** Pub/Sub's protocol tells an empty text and none not apart. */
    private static @Nullable String textIfAny(@Nullable String text) {
      return text == null || text.isEmpty() ? null : text;
    }
  }
}
