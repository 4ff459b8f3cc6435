package dev.tidemark.pipelines.run;

import dev.tidemark.options.DetachedOptions;
import java.io.PrintWriter;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.options.PipelineOptions;

/** How every command hands its pipeline to the runner, what the user is told then, and its end. */
public final class PipelineStart {
  private PipelineStart() {}

  /**
   * Starts a pipeline; says where it is, unless it is in the command's process, and whether it is
   * left to itself.
   *
   * @param subject what the lines begin with
   */
  public static PipelineResult start(Pipeline pipeline, String subject, PrintWriter err) {
    PipelineOptions options = pipeline.getOptions();
    PipelineResult running = pipeline.run();
    RunnerDefaults.of(options)
        .flatMap(runner -> runner.whereabouts(running, options))
        .ifPresent(place -> err.println(subject + ": " + place));
    if (options.as(DetachedOptions.class).isDetached()) {
      err.println(subject + ": started; it goes on by itself");
    }
    err.flush();
    return running;
  }

  /**
   * Waits for the end of a pipeline.
   *
   * @throws IllegalStateException if it ends in any other way than done, cancelled say
   */
  public static PipelineResult waitUntilDone(PipelineResult running) {
    State state = running.waitUntilFinish();
    if (state != State.DONE) {
      throw new IllegalStateException("the pipeline ended as " + state);
    }
    return running;
  }
}
