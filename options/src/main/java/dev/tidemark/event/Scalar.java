package dev.tidemark.event;

import java.io.Serializable;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The value of one field: text, a number or a truth value. Ordered, truth values before numbers
 * before text, so that ties between events break the same way on every runner.
 */
public sealed interface Scalar extends Comparable<Scalar>, Serializable {

  /** Text without lone surrogates. */
  record Text(String value) implements Scalar {

    /** Written out for speed, as in {@link EventKey}. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Text that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
      return value.hashCode();
    }
  }

  /** An exact decimal. Not normalized: {@code 1.0} and {@code 1.00} differ until compared. */
  record Num(BigDecimal value) implements Scalar {}

  /** True or false. */
  record Bool(boolean value) implements Scalar {}

  @Override
  default int compareTo(Scalar other) {
    if (this instanceof Text a && other instanceof Text b) {
      return a.value.compareTo(b.value);
    }
    if (this instanceof Num a && other instanceof Num b) {
      int byValue = a.value.compareTo(b.value);
      return byValue != 0 ? byValue : Integer.compare(a.value.scale(), b.value.scale());
    }
    if (this instanceof Bool a && other instanceof Bool b) {
      return Boolean.compare(a.value, b.value);
    }
    return Integer.compare(rank(this), rank(other));
  }

  /** The same value in its one canonical form, for use as a key or in a set. */
  default Scalar canonical() {
    return this instanceof Num n ? new Num(plain(n.value.stripTrailingZeros())) : this;
  }

  private static BigDecimal plain(BigDecimal value) {
    return value.scale() < 0 ? value.setScale(0) : value;
  }

  private static int rank(Scalar scalar) {
    return scalar instanceof Bool ? 0 : scalar instanceof Num ? 1 : 2;
  }
}
