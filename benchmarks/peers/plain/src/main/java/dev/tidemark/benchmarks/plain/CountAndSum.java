package dev.tidemark.benchmarks.plain;

/** How many clicks, and of how many bytes. */
final class CountAndSum implements FixedTally.Value<CountAndSum> {
  private long count;
  private long sum;

  @Override
  public void add(Click click) {
    count++;
    sum += click.bytes();
  }

  @Override
  public void merge(CountAndSum other) {
    count += other.count;
    sum += other.sum;
  }

  @Override
  public String toString() {
    return count + "," + sum;
  }
}
