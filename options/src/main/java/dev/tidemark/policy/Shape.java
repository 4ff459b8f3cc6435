package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one value of the policy file may be. The same shape reads the value and describes it as JSON
 * Schema, so that the two cannot drift apart.
 *
 * @param <T> what the value becomes in the model
 */
interface Shape<T> {

  /** The value; null after the place has been told everything that is wrong with it. */
  @Nullable T read(Place place);

  /** The value's form as JSON Schema (draft 2020-12). */
  ObjectNode schema();

  /** What the value is called in messages, with its article: {@code a duration}. */
  String what();

  /** What to write instead, as the last part of a message: {@code write true or false}. */
  String allowed();

  /** Reports that the place holds something else; null, to return as the value. */
  default @Nullable T mismatch(Place place) {
    return refuse(place, place.described() + " is not " + what(), allowed());
  }

  /** Reports a problem; null, to return as the value. */
  default @Nullable T refuse(Place place, String wrong, String allowed) {
    place.refuse(wrong, allowed);
    return null;
  }

  /** The same form, made into another value of the model. */
  default <U> Shape<U> as(Function<? super T, ? extends U> conversion) {
    return new Converted<>(this, conversion);
  }

  /** See {@link #as}. */
  record Converted<T, U>(Shape<T> form, Function<? super T, ? extends U> conversion)
      implements Shape<U> {

    @Override
    public @Nullable U read(Place place) {
      T value = form.read(place);
      return value == null ? null : conversion.apply(value);
    }

    @Override
    public ObjectNode schema() {
      return form.schema();
    }

    @Override
    public String what() {
      return form.what();
    }

    @Override
    public String allowed() {
      return form.allowed();
    }
  }
}
