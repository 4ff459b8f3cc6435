package dev.tidemark.benchmarks.flink;

import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.java.tuple.Tuple2;

/** How many different users, exactly. */
final class DistinctUsers
    implements AggregateFunction<Tuple2<String, String>, Set<String>, String> {

  @Override
  public Set<String> createAccumulator() {
    return new HashSet<>();
  }

  @Override
  public Set<String> add(Tuple2<String, String> urlAndUser, Set<String> users) {
    users.add(urlAndUser.f1);
    return users;
  }

  @Override
  public String getResult(Set<String> users) {
    return Integer.toString(users.size());
  }

  @Override
  public Set<String> merge(Set<String> a, Set<String> b) {
    a.addAll(b);
    return a;
  }
}
