package dev.tidemark.pipelines.run;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.policy.Policy;
import dev.tidemark.policy.PolicyException;
import dev.tidemark.policy.PolicyLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Loads the policies that run side by side. */
public final class Policies {
  private Policies() {}

  /**
   * Loads policies of different metrics.
   *
   * @throws UsageException naming every problem of every file
   */
  public static List<Policy> load(List<String> files) throws UsageException {
    List<Policy> policies = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    Set<String> metrics = new HashSet<>();
    for (String file : files) {
      try {
        Policy policy = PolicyLoader.load(file);
        if (!metrics.add(policy.metric())) {
          problems.add(file + ": metric " + policy.metric() + " is also that of another policy");
        }
        policies.add(policy);
      } catch (PolicyException e) {
        problems.addAll(e.problems());
      }
    }
    UsageException.throwIfAny(problems);
    return policies;
  }

  /**
   * The policy of a command that takes one.
   *
   * @throws UsageException naming each problem of the file; or if there are several files
   */
  public static Policy loadOne(List<String> files) throws UsageException {
    if (files.size() != 1) {
      throw new UsageException("--policy: " + files.size() + " files; give the one policy");
    }
    return load(files).get(0);
  }
}
