package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One of two shapes, told apart by a look at the value.
 *
 * @param isFirst whether to read the value as the first shape
 */
record EitherShape<T>(Predicate<Place> isFirst, Shape<T> first, Shape<T> second)
    implements Shape<T> {

  @Override
  public @Nullable T read(Place place) {
    return (isFirst.test(place) ? first : second).read(place);
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.putArray("anyOf").add(first.schema()).add(second.schema());
    return schema;
  }

  @Override
  public String what() {
    return first.what() + " or " + second.what();
  }

  @Override
  public String allowed() {
    return first.allowed() + " or " + second.allowed();
  }
}
