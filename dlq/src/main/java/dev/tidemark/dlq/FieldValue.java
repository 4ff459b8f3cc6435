package dev.tidemark.dlq;

import com.fasterxml.jackson.core.JsonParser;
import dev.tidemark.event.Scalar;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a record holds in one field that the policy names. */
sealed interface FieldValue {

  /** A value that a key or an aggregate can take. */
  record Usable(Scalar scalar) implements FieldValue {}

  /**
   * A value that nothing can take.
   *
   * @param shown what it is, for a message
   */
  record Unusable(String shown) implements FieldValue {}

  /** The value that the parser stands on; null for a JSON null or an empty cell. */
  static @Nullable FieldValue of(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> new Usable(new Scalar.Bool(true));
      case VALUE_FALSE -> new Usable(new Scalar.Bool(false));
      case VALUE_NUMBER_INT -> isLong(json) ? number(json.getLongValue()) : number(json.getText());
      case VALUE_NUMBER_FLOAT -> number(json.getText());
      case VALUE_STRING -> text(json.getText());
      case START_OBJECT -> new Unusable("an object");
      case START_ARRAY -> new Unusable("an array");
      default -> throw new IllegalStateException("not a value: " + json.currentToken());
    };
  }

  /** The value for a message: short, and text in quotes. */
  default String shown() {
    if (this instanceof Unusable unusable) {
      return unusable.shown;
    }
    return shown(((Usable) this).scalar);
  }

  private static String shown(Scalar scalar) {
    if (scalar instanceof Scalar.Text text) {
      return '"' + Messages.cut(text.value()) + '"';
    }
    if (scalar instanceof Scalar.Num num) {
      return Messages.cut(num.value().toString());
    }
    return Boolean.toString(((Scalar.Bool) scalar).value());
  }

  private static boolean isLong(JsonParser json) throws IOException {
    return json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }

  private static FieldValue number(long value) {
    return new Usable(new Scalar.Num(BigDecimal.valueOf(value)));
  }

  private static FieldValue number(String text) {
    BigDecimal value = Decimals.parse(text);
    return value == null ? new Unusable(Messages.cut(text)) : new Usable(new Scalar.Num(value));
  }

  private static FieldValue text(String text) {
    return isWellFormed(text)
        ? new Usable(new Scalar.Text(text))
        : new Unusable("text with a lone surrogate");
  }

  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }
}
