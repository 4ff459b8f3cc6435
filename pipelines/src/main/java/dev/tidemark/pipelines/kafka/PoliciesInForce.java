package dev.tidemark.pipelines.kafka;

import dev.tidemark.policy.Policy;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.util.SerializableUtils;
import org.jspecify.annotations.Nullable;

/**
 * The policies of the job that runs, on every worker. A source has policies of its own, but Flink
 * keeps sources in its checkpoints, and reads on with those of the job that it starts from. The
 * options are always those of the job that runs.
 */
public final class PoliciesInForce {
  /** The option's name. */
  public static final String OPTION = "policiesInForce";

  private PoliciesInForce() {}

  /** The option; not one that a user gives. */
  public interface Options extends PipelineOptions {
    @Nullable String getPoliciesInForce();

    void setPoliciesInForce(@Nullable String serialized);
  }

  /** Tells every worker. */
  public static void set(PipelineOptions options, List<Policy> policies) {
    byte[] serialized = SerializableUtils.serializeToByteArray(new ArrayList<>(policies));
    options.as(Options.class).setPoliciesInForce(Base64.getEncoder().encodeToString(serialized));
  }

  /** Those that were set; empty if none were. */
  static Optional<List<Policy>> of(PipelineOptions options) {
    return Optional.ofNullable(options.as(Options.class).getPoliciesInForce())
        .map(PoliciesInForce::decode);
  }

  /**
   * What the option says.
   *
   * @throws IllegalArgumentException if another build wrote it
   */
  @SuppressWarnings("unchecked") // set puts a list of policies there
  public static List<Policy> decode(String option) {
    byte[] bytes = Base64.getDecoder().decode(option);
    return (List<Policy>) SerializableUtils.deserializeFromByteArray(bytes, "policies");
  }
}
