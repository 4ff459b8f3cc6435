package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A list of different values of one shape, with at least one. */
record ListShape<T>(String what, Shape<T> item) implements Shape<List<T>> {
  private static final int MOST = 1000;

  @Override
  public @Nullable List<T> read(Place place) {
    if (!(place.node() instanceof SequenceNode sequence)) {
      return mismatch(place);
    }
    List<Node> nodes = sequence.getValue();
    if (nodes.isEmpty() || nodes.size() > MOST) {
      return refuse(place, "has " + nodes.size() + " items", allowed());
    }
    List<T> values = new ArrayList<>();
    Map<T, Place> firsts = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      Place at = place.item(i, nodes.get(i));
      T value = item.read(at);
      if (value != null) {
        values.add(value);
        Place first = firsts.putIfAbsent(value, at);
        if (first != null) {
          at.refuse(at.described() + " stands twice, first as " + first.path(), "write it once");
        }
      }
    }
    return values;
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "array");
    schema.set("items", item.schema());
    return schema.put("minItems", 1).put("maxItems", MOST).put("uniqueItems", true);
  }

  @Override
  public String allowed() {
    return "write 1 to " + MOST + " items, [name, …]";
  }
}
