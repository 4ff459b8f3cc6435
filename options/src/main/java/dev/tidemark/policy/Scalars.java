package dev.tidemark.policy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Shapes of single values. */
final class Scalars {
  /** Any text but the empty one. */
  static final Shape<String> TEXT =
      text("text", "[\\s\\S]+", "write text in quotes", (place, text) -> text);

  /** A pointer; the reading remembers it and the place that names it. */
  static final Shape<Pointer> POINTER =
      text(
          "a JSON Pointer",
          Pointer.PATTERN,
          "write /field, /outer/inner for a nested one, or \"#/headers/name\" or \"#/key\" of a topic",
          Scalars::pointer);

  private Scalars() {}

  private static Pointer pointer(Place place, String text) {
    Pointer pointer = new Pointer(text);
    place.reading().name(place, pointer);
    return pointer;
  }

  /** Makes the model's value of text that has the right form; may still refuse the place. */
  @FunctionalInterface
  interface TextParser<T> {
    @Nullable T parse(Place place, String text);
  }

  /**
   * Text that matches a pattern, written so that Java and JSON Schema (ECMA-262) agree on it.
   *
   * @param pattern what the whole text matches
   */
  record Text<T>(String what, Pattern pattern, String allowed, TextParser<T> parser)
      implements Shape<T> {

    @Override
    public @Nullable T read(Place place) {
      String text = place.text();
      if (text == null || place.isTagged(Tag.NULL) || !pattern.matcher(text).matches()) {
        return mismatch(place);
      }
      if (!place.isTagged(Tag.STR)) {
        return refuse(
            place,
            place.described() + " is not " + what,
            "quote it: \"" + Messages.shorten(text) + "\"");
      }
      return parser.parse(place, text);
    }

    @Override
    public ObjectNode schema() {
      return object().put("type", "string").put("pattern", "^" + pattern.pattern() + "$");
    }
  }

  /** Text that matches a pattern. */
  static <T> Text<T> text(String what, String pattern, String allowed, TextParser<T> parser) {
    return new Text<>(what, Pattern.compile(pattern), allowed, parser);
  }

  /** One of a few names. */
  record Names<T>(String what, Map<String, T> values) implements Shape<T> {

    @Override
    public @Nullable T read(Place place) {
      T value = place.isTagged(Tag.STR) ? values.get(place.text()) : null;
      return value != null ? value : mismatch(place);
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = object();
      ArrayNode names = schema.putArray("enum");
      values.keySet().forEach(names::add);
      return schema;
    }

    @Override
    public String allowed() {
      return Messages.writeOneOf(values.keySet());
    }
  }

  /** The constants of an enum in kebab case: {@code event-time}. */
  static <E extends Enum<E>> Names<E> kebab(String what, Class<E> type) {
    return names(what, type, e -> e.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  /** The constants of an enum as they are: {@code MONDAY}. */
  static <E extends Enum<E>> Names<E> constants(String what, Class<E> type) {
    return names(what, type, Enum::name);
  }

  private static <E extends Enum<E>> Names<E> names(
      String what, Class<E> type, Function<E, String> spelling) {
    Map<String, E> values = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      values.put(spelling.apply(constant), constant);
    }
    return new Names<>(what, values);
  }

  /**
   * A number between two bounds, both allowed.
   *
   * @param whole whether it has no fraction; 5.0 has none, as in JSON Schema
   */
  record Numeric(String what, boolean whole, int min, int max) implements Shape<BigDecimal> {
    // Longer ones are out of any bounds here, and slow to compare.
    private static final Pattern READABLE =
        Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{0,40})?([eE][-+]?[0-9]{1,3})?");

    @Override
    public @Nullable BigDecimal read(Place place) {
      String text = place.text();
      boolean number = place.isTagged(Tag.INT) || place.isTagged(Tag.FLOAT);
      if (text == null || !number || !READABLE.matcher(text).matches()) {
        return mismatch(place);
      }
      BigDecimal value = new BigDecimal(text);
      boolean inBounds =
          value.compareTo(BigDecimal.valueOf(min)) >= 0
              && value.compareTo(BigDecimal.valueOf(max)) <= 0;
      boolean fraction = value.stripTrailingZeros().scale() > 0;
      return inBounds && !(whole && fraction) ? value : mismatch(place);
    }

    @Override
    public ObjectNode schema() {
      return object()
          .put("type", whole ? "integer" : "number")
          .put("minimum", min)
          .put("maximum", max);
    }

    @Override
    public String allowed() {
      return "write a " + (whole ? "whole " : "") + "number from " + min + " to " + max;
    }
  }

  /** A whole number between two bounds. */
  static Shape<Integer> whole(String what, int min, int max) {
    return new Numeric(what, true, min, max).as(BigDecimal::intValue);
  }

  /** True or false. */
  record Truth() implements Shape<Boolean> {

    @Override
    public @Nullable Boolean read(Place place) {
      String text = place.text();
      if (!place.isTagged(Tag.BOOL) || text == null) {
        return mismatch(place);
      }
      return switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> mismatch(place);
      };
    }

    @Override
    public ObjectNode schema() {
      return object().put("type", "boolean");
    }

    @Override
    public String what() {
      return "a truth value";
    }

    @Override
    public String allowed() {
      return "write true or false";
    }
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
