package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A mapping from names of the user's own choice to values of one shape, in order.
 *
 * @param fewest how many entries it has at least
 */
record MapShape<T>(String what, Shape<T> value, int fewest) implements Shape<Map<String, T>> {
  private static final int MOST = 1000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  @Override
  public @Nullable Map<String, T> read(Place place) {
    if (!place.isMapping()) {
      return mismatch(place);
    }
    Map<String, Place> fields = place.fields();
    if (fields.size() < fewest || fields.size() > MOST) {
      return refuse(place, "has " + fields.size() + " entries", allowed());
    }
    Map<String, T> values = new LinkedHashMap<>();
    fields.forEach(
        (name, field) -> {
          if (!NAME.matcher(name).matches()) {
            field.refuse(
                Messages.quote(name) + " is not a name",
                "write letters, digits, '_' and '-', first a letter or '_'");
          }
          T read = value.read(field);
          if (read != null) {
            values.put(name, read);
          }
        });
    return values;
  }

  @Override
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.putObject("propertyNames").put("pattern", "^" + NAME.pattern() + "$");
    schema.set("additionalProperties", value.schema());
    return schema.put("minProperties", fewest).put("maxProperties", MOST);
  }

  @Override
  public String allowed() {
    return "write " + fewest + " to " + MOST + " entries, {name: …}";
  }
}
