package dev.tidemark.gcp;

import java.util.List;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.jspecify.annotations.Nullable;

/** Which tables of BigQuery a pipeline writes to. */
public interface BigQuerySinkOptions extends PipelineOptions {

  @Description(
      "BigQuery table that every result is appended to, PROJECT:DATASET.TABLE. Made if it is not"
          + " there; gets the columns that it lacks.")
  @Nullable String getOutputTable();

  void setOutputTable(@Nullable String table);

  @Description(
      "BigQuery table that keeps the newest result of each key and window, PROJECT:DATASET.TABLE."
          + " Use it with policies whose panes replace each other: not with accumulation"
          + " discarding.")
  @Nullable String getLatestTable();

  void setLatestTable(@Nullable String table);

  /** Makes Beam know these options wherever this module is on the class path. */
  final class Registrar implements PipelineOptionsRegistrar {
    @Override
    public Iterable<Class<? extends PipelineOptions>> getPipelineOptions() {
      return List.of(BigQuerySinkOptions.class);
    }
  }
}
