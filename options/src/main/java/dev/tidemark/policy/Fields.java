package dev.tidemark.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Declares the fields of a mapping and the rules between them, then makes its shape. Each field is
 * declared once, and its value is fetched through what the declaration returned.
 */
final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String what;
  private final Map<String, Field<?>> fields = new LinkedHashMap<>();
  private final List<Rule> rules = new ArrayList<>();
  private final List<JsonNode> conditions = new ArrayList<>();

  /**
   * One field.
   *
   * @param fallback the value in YAML where the field is left out; null where nothing stands for it
   */
  record Field<V extends @Nullable Object>(
      String name,
      Shape<? extends V> shape,
      boolean required,
      @Nullable String fallback,
      String description) {}

  private record Rule(List<Field<?>> operands, Consumer<Values> check) {}

  /**
   * @param what what the mapping is called in messages, with its article
   */
  Fields(String what) {
    this.what = what;
  }

  <V> Field<V> required(String name, Shape<V> shape, String description) {
    return add(new Field<>(name, shape, true, null, description));
  }

  /** A field with a default, given as it would stand in the file. */
  <V> Field<V> optional(String name, Shape<V> shape, String fallback, String description) {
    return add(new Field<>(name, shape, false, fallback, description));
  }

  /** A field that may be left out, and is null then. */
  <V> Field<@Nullable V> optional(String name, Shape<V> shape, String description) {
    return add(new Field<>(name, shape, false, null, description));
  }

  private <V extends @Nullable Object> Field<V> add(Field<V> field) {
    fields.put(field.name(), field);
    return field;
  }

  /** Checks fields against each other, once all the operands are sound in themselves. */
  void rule(Consumer<Values> check, Field<?>... operands) {
    rules.add(new Rule(List.of(operands), check));
  }

  /** States a rule as JSON Schema too, so that editors know it. */
  void condition(String schema) {
    try {
      conditions.add(JSON.readTree(schema));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(schema, e);
    }
  }

  /** The shape of the mapping; {@code make} is called only where no problem was found. */
  <T> Shape<T> make(Function<Values, @Nullable T> make) {
    return new MappingShape<>(what, fields, rules, conditions, make);
  }

  /** The values of the fields that are sound. */
  static final class Values {
    private final Place mapping;
    private final Map<String, Place> written;
    private final Map<String, @Nullable Object> sound = new HashMap<>();

    private Values(Place mapping, Map<String, Place> written) {
      this.mapping = mapping;
      this.written = written;
    }

    @SuppressWarnings("unchecked") // the field's own shape, which makes a V, put the value there
    <V extends @Nullable Object> V get(Field<V> field) {
      return (V) sound.get(field.name());
    }

    /** Whether the file has the field. */
    boolean has(Field<?> field) {
      return written.containsKey(field.name());
    }

    /** The field as the file describes it. */
    String described(Field<?> field) {
      Place place = written.get(field.name());
      return place == null ? String.valueOf(field.fallback()) : place.described();
    }

    Place mapping() {
      return mapping;
    }

    /** Reports a problem at a field, or where it is missing. */
    void refuse(Field<?> field, String wrong, String allowed) {
      Place place = written.get(field.name());
      if (place == null) {
        mapping.refuseMissing(field.name(), wrong, allowed);
      } else {
        place.refuse(wrong, allowed);
      }
    }

    private void read(Field<?> field) {
      Place place = written.get(field.name());
      if (place != null) {
        int before = place.reading().problemCount();
        Object value = field.shape().read(place);
        if (place.reading().problemCount() == before) {
          sound.put(field.name(), value);
        }
      } else if (field.required()) {
        mapping.refuseMissing(field.name(), "is missing", field.shape().allowed());
      } else {
        sound.put(field.name(), fallback(field));
      }
    }

    private static @Nullable Object fallback(Field<?> field) {
      String text = field.fallback();
      if (text == null) {
        return null;
      }
      Reading reading = new Reading("default of " + field.name());
      Place place = YamlDocument.read(reading, text);
      Object value = place == null ? null : field.shape().read(place);
      if (value == null) {
        throw new IllegalStateException(String.join("\n", reading.problems()));
      }
      return value;
    }
  }

  private record MappingShape<T>(
      String what,
      Map<String, Field<?>> fields,
      List<Rule> rules,
      List<JsonNode> conditions,
      Function<Values, @Nullable T> make)
      implements Shape<T> {

    @Override
    public @Nullable T read(Place place) {
      if (!place.isMapping()) {
        return mismatch(place);
      }
      int before = place.reading().problemCount();
      Values values = new Values(place, place.fields());
      values.written.forEach(this::refuseUnknown);
      fields.values().forEach(values::read);
      for (Rule rule : rules) {
        if (rule.operands().stream().allMatch(field -> values.sound.containsKey(field.name()))) {
          rule.check().accept(values);
        }
      }
      return place.reading().problemCount() == before ? make.apply(values) : null;
    }

    private void refuseUnknown(String name, Place place) {
      if (!fields.containsKey(name)) {
        place.refuse(
            "is not a field of " + what,
            fields.isEmpty() ? allowed() : Messages.didYouMean(name, fields.keySet()));
      }
    }

    @Override
    public String allowed() {
      boolean anyRequired = fields.values().stream().anyMatch(Field::required);
      List<String> names = new ArrayList<>();
      for (Field<?> field : fields.values()) {
        if (field.required() || !anyRequired) {
          names.add(field.name() + ": …");
        }
      }
      return "write {" + String.join(", ", names) + "}";
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
      ObjectNode properties = schema.putObject("properties");
      ArrayNode required = JsonNodeFactory.instance.arrayNode();
      for (Field<?> field : fields.values()) {
        properties.set(field.name(), schema(field));
        if (field.required()) {
          required.add(field.name());
        }
      }
      if (!required.isEmpty()) {
        schema.set("required", required);
      }
      schema.put("additionalProperties", false);
      if (!conditions.isEmpty()) {
        schema.putArray("allOf").addAll(conditions);
      }
      return schema;
    }

    private static ObjectNode schema(Field<?> field) {
      ObjectNode schema =
          JsonNodeFactory.instance.objectNode().put("description", field.description());
      schema.setAll(field.shape().schema());
      if (field.fallback() != null) {
        Object fallback = new Load(LoadSettings.builder().build()).loadFromString(field.fallback());
        schema.set("default", JSON.valueToTree(fallback));
      }
      return schema;
    }
  }
}
