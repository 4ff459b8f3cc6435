package dev.tidemark.benchmarks.plain;

import java.util.HashSet;
import java.util.Set;

/** How many different users, exactly. */
final class DistinctUsers implements FixedTally.Value<DistinctUsers> {
  private final Set<String> users = new HashSet<>();

  @Override
  public void add(Click click) {
    users.add(click.user());
  }

  @Override
  public void merge(DistinctUsers other) {
    users.addAll(other.users);
  }

  @Override
  public String toString() {
    return Integer.toString(users.size());
  }
}
