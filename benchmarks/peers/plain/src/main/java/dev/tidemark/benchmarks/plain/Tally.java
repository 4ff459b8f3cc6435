package dev.tidemark.benchmarks.plain;

import java.util.List;

/** What one thread has seen of a job's clicks, until it is merged with what another saw. */
interface Tally<T extends Tally<T>> {

  /** Counts a click. */
  void add(Click click);

  /** Takes over all of another, which is not used any more. */
  void merge(T other);

  /** The answer: a line for each key and window, {@code key,start,end,value…}, times in ms. */
  List<String> lines();
}
