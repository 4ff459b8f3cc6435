package dev.tidemark.runners.flink;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/**
 * What a savepoint or checkpoint tells of the job that made it. The splits of the source stand in
 * it as Beam wrote them: as Java objects, with the policies that the source goes by.
 */
final class Savepoint {
  /** Flink's name for the splits of a source. */
  private static final String SPLITS = "SourceReaderState";

  private final Set<Policy> policies = new LinkedHashSet<>();

  private Savepoint() {}

  /**
   * The policies of the job, each as it was.
   *
   * @param path as {@code --savepointPath} takes it
   * @throws UsageException if it is none of a Tidemark job of this version
   * @throws IOException if none can be read there from here
   */
  static List<Policy> policies(String path) throws UsageException, IOException {
    Savepoint savepoint = new Savepoint();
    try {
      for (OperatorState operator : metadata(path).getOperatorStates()) {
        for (OperatorSubtaskState subtask : operator.getStates()) {
          for (OperatorStateHandle state : subtask.getManagedOperatorState()) {
            savepoint.readSplits(state);
          }
        }
      }
    } catch (ObjectStreamException | ClassCastException e) {
      throw refused(path, "was made by another version of Tidemark or of Beam", "one of this one");
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new IOException(e);
    }
    if (savepoint.policies.isEmpty()) {
      throw refused(path, "has no policies in it", "one of a run of Tidemark over topics");
    }
    return List.copyOf(savepoint.policies);
  }

  private static UsageException refused(String path, String wrong, String allowed) {
    return new UsageException("--savepointPath=" + path + ": " + wrong + "; allowed: " + allowed);
  }

  private static CheckpointMetadata metadata(String path) throws IOException {
    CompletedCheckpointStorageLocation location =
        AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    try (InputStream in = location.getMetadataHandle().openInputStream()) {
      return Checkpoints.loadCheckpointMetadata(
          new DataInputStream(in), Savepoint.class.getClassLoader(), path);
    }
  }

  private void readSplits(OperatorStateHandle state) throws IOException {
    OperatorStateHandle.StateMetaInfo splits = state.getStateNameToPartitionOffsets().get(SPLITS);
    if (splits == null) {
      return;
    }
    try (FSDataInputStream in = state.openInputStream()) {
      for (long offset : splits.getOffsets()) {
        in.seek(offset);
        byte[] split =
            BytePrimitiveArraySerializer.INSTANCE.deserialize(new DataInputViewStreamWrapper(in));
        policies.addAll(
            SimpleVersionedSerialization.readVersionAndDeSerialize(new PoliciesInSplit(), split));
      }
    }
  }

  /** Reads a split as Beam does, and of what is in it keeps the policies. */
  private static final class PoliciesInSplit implements SimpleVersionedSerializer<List<Policy>> {
    @Override
    public int getVersion() {
      return 0; // that of Beam's serializer
    }

    @Override
    public List<Policy> deserialize(int version, byte[] split) throws IOException {
      try (PolicyStream in = new PolicyStream(new ByteArrayInputStream(split))) {
        in.readObject();
        return in.policies;
      } catch (ClassNotFoundException e) {
        throw new InvalidClassException(e.getMessage());
      }
    }

    @Override
    public byte[] serialize(List<Policy> policies) {
      throw new UnsupportedOperationException("only Beam writes splits");
    }
  }

  private static final class PolicyStream extends ObjectInputStream {
    private final List<Policy> policies = new ArrayList<>();

    PolicyStream(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object read) {
      if (read instanceof Policy policy) {
        policies.add(policy);
      }
      return read;
    }
  }
}
