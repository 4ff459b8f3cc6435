package dev.tidemark.dlq;

import dev.tidemark.dlq.Fields.Field;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields as a tree of their pointers' tokens, walked along with a record to find them. */
final class PointerTree {
  private final Map<String, PointerTree> children = new HashMap<>();
  private @Nullable Field field;

  private PointerTree() {}

  static PointerTree of(Iterable<Field> fields) {
    PointerTree root = new PointerTree();
    for (Field field : fields) {
      PointerTree node = root;
      for (String token : field.pointer().tokens()) {
        node = node.children.computeIfAbsent(token, unused -> new PointerTree());
      }
      node.field = field;
    }
    return root;
  }

  /** What lies below a field name or an array position; null where no pointer leads there. */
  @Nullable PointerTree child(String token) {
    return children.get(token);
  }

  /** The field whose pointer ends here; null where pointers only pass. */
  @Nullable Field field() {
    return field;
  }

  /** Empties the fields whose pointers end here or below. */
  void forget() {
    if (field != null) {
      field.set(null);
    }
    if (!children.isEmpty()) { // no iterator: it is called for each field of a record
      children.values().forEach(PointerTree::forget);
    }
  }
}
