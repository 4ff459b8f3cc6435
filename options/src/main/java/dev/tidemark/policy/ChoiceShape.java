package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Exactly one of several variants: those without settings stand as their bare name, the others as a
 * mapping with one field.
 */
final class ChoiceShape<T> implements Shape<T> {
  private final String what;
  private final Map<String, Bare<T>> bares = new LinkedHashMap<>();
  private final Map<String, Variant<T>> variants = new LinkedHashMap<>();

  private record Bare<T>(T value, String description) {}

  private record Variant<T>(Shape<? extends T> shape, String description) {}

  /**
   * @param what what the value is called in messages, with its article
   */
  ChoiceShape(String what) {
    this.what = what;
  }

  /** Adds a variant without settings. */
  ChoiceShape<T> or(String name, T value, String description) {
    bares.put(name, new Bare<>(value, description));
    return this;
  }

  /** Adds a variant whose settings have a shape. */
  ChoiceShape<T> or(String name, Shape<? extends T> shape, String description) {
    variants.put(name, new Variant<>(shape, description));
    return this;
  }

  @Override
  public @Nullable T read(Place place) {
    if (place.isMapping()) {
      return readVariant(place);
    }
    Bare<T> bare = place.isTagged(Tag.STR) ? bares.get(place.text()) : null;
    return bare == null ? mismatch(place) : bare.value();
  }

  private @Nullable T readVariant(Place place) {
    Map<String, Place> fields = place.fields();
    List<String> found = new ArrayList<>();
    T value = null;
    for (Map.Entry<String, Place> field : fields.entrySet()) {
      Variant<T> variant = variants.get(field.getKey());
      if (variant == null) {
        refuseUnknown(field.getKey(), field.getValue());
      } else {
        found.add(field.getKey());
        value = variant.shape().read(field.getValue());
      }
    }
    if (found.size() > 1) {
      place.refuse("has " + String.join(" and ", found), allowed());
    } else if (fields.isEmpty()) {
      place.refuse("is an empty mapping", allowed());
    }
    return value;
  }

  private void refuseUnknown(String name, Place place) {
    place.refuse(
        "is not a field of " + what,
        Messages.nearest(name, variants.keySet())
            .map(near -> "did you mean " + Messages.quote(near) + "?")
            .orElseGet(this::allowed));
  }

  @Override
  public ObjectNode schema() {
    ObjectNode mapping = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = mapping.putObject("properties");
    variants.forEach((name, variant) -> properties.set(name, schema(variant)));
    mapping.put("additionalProperties", false).put("minProperties", 1).put("maxProperties", 1);
    if (bares.isEmpty()) {
      return mapping;
    }
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    ArrayNode anyOf = schema.putArray("anyOf");
    bares.forEach(
        (name, bare) ->
            anyOf.addObject().put("description", bare.description()).put("const", name));
    anyOf.add(mapping);
    return schema;
  }

  private static ObjectNode schema(Variant<?> variant) {
    ObjectNode schema =
        JsonNodeFactory.instance.objectNode().put("description", variant.description());
    return schema.setAll(variant.shape().schema());
  }

  @Override
  public String what() {
    return what;
  }

  @Override
  public String allowed() {
    List<String> forms = new ArrayList<>(bares.keySet());
    variants.keySet().forEach(name -> forms.add("{" + name + ": …}"));
    return "write exactly one of " + String.join(", ", forms);
  }
}
