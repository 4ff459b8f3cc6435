package dev.tidemark.dlq;

import dev.tidemark.policy.Pointer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that a policy names, with what the record at hand has in them. They take one record
 * after another, since a map for each would cost as much as to read it.
 */
final class Fields {
  private final Map<Pointer, Field> byPointer = new LinkedHashMap<>();
  private final List<Field> all;

  /** A field, where the policy names it twice too. */
  static final class Field {
    private final Pointer pointer;
    private @Nullable FieldValue value;

    private Field(Pointer pointer) {
      this.pointer = pointer;
    }

    Pointer pointer() {
      return pointer;
    }

    /** Null where the record has none, or a JSON null. */
    @Nullable FieldValue value() {
      return value;
    }

    void set(@Nullable FieldValue value) {
      this.value = value;
    }
  }

  Fields(Collection<Pointer> pointers) {
    pointers.forEach(pointer -> byPointer.computeIfAbsent(pointer, Field::new));
    all = List.copyOf(byPointer.values());
  }

  /** All of them, each once. */
  List<Field> all() {
    return all;
  }

  /** The field of one of the pointers. */
  Field of(Pointer pointer) {
    return byPointer.get(pointer);
  }

  /** Forgets the record at hand. */
  void clear() {
    for (int i = 0; i < all.size(); i++) { // no iterator: it is called for each record
      all.get(i).set(null);
    }
  }
}
