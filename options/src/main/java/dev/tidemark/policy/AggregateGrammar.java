package dev.tidemark.policy;

import static dev.tidemark.policy.Scalars.POINTER;
import static dev.tidemark.policy.Scalars.whole;

import dev.tidemark.policy.Fields.Field;
import java.math.BigDecimal;
import java.util.function.Function;

/** The form of one entry of the policy's {@code aggregates}. */
final class AggregateGrammar {
  private static final String READ = "The field that the aggregate reads.";

  static final Shape<Aggregate> AGGREGATE = aggregate();

  private AggregateGrammar() {}

  private static Shape<Aggregate> aggregate() {
    return new ChoiceShape<Aggregate>("an aggregate")
        .or("count", new Aggregate.Count(), "How many events.")
        .or("elapsed", new Aggregate.Elapsed(), "Last event time less first, in milliseconds.")
        .or("sum", ofField("a sum", Aggregate.Sum::new), "Exact decimal sum.")
        .or("min", ofField("a minimum", Aggregate.Min::new), "Smallest number.")
        .or("max", ofField("a maximum", Aggregate.Max::new), "Largest number.")
        .or("mean", ofField("a mean", Aggregate.Mean::new), "Exact sum over count, rounded once.")
        .or("distinct", distinct(), "How many different values.")
        .or("quantile", quantile(), "The value below which a share of all values lies.")
        .or("top", top(), "The most frequent values with their counts, exactly.")
        .or("first", ofField("a first", Aggregate.First::new), "The value of the earliest event.")
        .or("last", ofField("a last", Aggregate.Last::new), "The value of the latest event.");
  }

  private static Shape<Aggregate> ofField(String what, Function<Pointer, Aggregate> make) {
    Fields fields = new Fields(what);
    Field<Pointer> of = fields.required("of", POINTER, READ);
    return orPointer(make, fields.make(values -> make.apply(values.get(of))));
  }

  private static Shape<Aggregate> distinct() {
    Fields fields = new Fields("a distinct count");
    Field<Pointer> of = fields.required("of", POINTER, READ);
    Field<Boolean> exact =
        fields.optional(
            "exact", new Scalars.Truth(), "false", "Keep the set of values, not a sketch of it.");
    return orPointer(
        pointer -> new Aggregate.Distinct(pointer, false),
        fields.make(values -> new Aggregate.Distinct(values.get(of), values.get(exact))));
  }

  private static Shape<Aggregate> quantile() {
    Fields fields = new Fields("a quantile");
    Field<Pointer> of = fields.required("of", POINTER, READ);
    Field<BigDecimal> q =
        fields.required(
            "q", new Scalars.Numeric("a share", false, 0, 1), "The share, from 0 to 1.");
    return fields.make(
        values -> new Aggregate.Quantile(values.get(of), values.get(q).doubleValue()));
  }

  private static Shape<Aggregate> top() {
    Fields fields = new Fields("a top list");
    Field<Pointer> of = fields.required("of", POINTER, READ);
    Field<Integer> n =
        fields.required("n", whole("a length", 1, 10_000), "How many values, at most.");
    return fields.make(values -> new Aggregate.Top(values.get(of), values.get(n)));
  }

  /** A function with no other setting than its field may name the field alone. */
  private static Shape<Aggregate> orPointer(
      Function<Pointer, Aggregate> make, Shape<Aggregate> mapping) {
    return new EitherShape<>(place -> !place.isMapping(), POINTER.as(make), mapping);
  }
}
