package dev.tidemark.dlq;

import dev.tidemark.policy.Pointer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Pointers as a tree of their tokens, walked along with a record to find the named fields. */
final class PointerTree {
  private final Map<String, PointerTree> children = new HashMap<>();
  private @Nullable Pointer pointer;

  private PointerTree() {}

  static PointerTree of(Iterable<Pointer> pointers) {
    PointerTree root = new PointerTree();
    for (Pointer pointer : pointers) {
      PointerTree node = root;
      for (String token : pointer.tokens()) {
        node = node.children.computeIfAbsent(token, unused -> new PointerTree());
      }
      node.pointer = pointer;
    }
    return root;
  }

  /** What lies below a field name or an array position; null where no pointer leads there. */
  @Nullable PointerTree child(String token) {
    return children.get(token);
  }

  /** The pointer that ends here; null where pointers only pass. */
  @Nullable Pointer pointer() {
    return pointer;
  }

  /** Removes from {@code found} the pointers that end here or below. */
  void forget(Map<Pointer, FieldValue> found) {
    if (pointer != null) {
      found.remove(pointer);
    }
    for (PointerTree child : children.values()) {
      child.forget(found);
    }
  }
}
