package dev.tidemark.policy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value in a policy file, and where it stands.
 *
 * @param reading the reading that problems go to
 * @param path the names of the fields down to it, with dots: {@code window.fixed.size}
 * @param line the line of its name, from 1
 * @param node the value
 */
record Place(Reading reading, String path, int line, Node node) {
  /** The path of the whole file. */
  static final String ROOT = "policy";

  /** The place of a whole document. */
  static Place root(Reading reading, Node node) {
    return new Place(reading, ROOT, line(node), node);
  }

  /** Reports a problem here. */
  void refuse(String wrong, String allowed) {
    reading.refuse(line, path, wrong, allowed);
  }

  /** Reports a problem with a field of this mapping that is not there. */
  void refuseMissing(String name, String wrong, String allowed) {
    reading.refuse(line, below(name), wrong, allowed);
  }

  /** An item of the list that stands here. */
  Place item(int index, Node item) {
    return new Place(reading, path + "[" + index + "]", line(item), item);
  }

  /** The fields of the mapping that stands here, by name and in order, each name once. */
  Map<String, Place> fields() {
    Map<String, Place> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : ((MappingNode) node).getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        add(fields, key, tuple.getValueNode());
      } else {
        reading.refuse(
            line(tuple.getKeyNode()), path, "has a name that is not text", "write plain names");
      }
    }
    return fields;
  }

  private void add(Map<String, Place> fields, ScalarNode key, Node value) {
    String name = key.getValue();
    Place place = new Place(reading, below(name), line(key), value);
    if (name.equals("<<") && key.isPlain()) {
      place.refuse("is a merge, which policies do not have", "write the fields out");
      return;
    }
    Place first = fields.putIfAbsent(name, place);
    if (first != null) {
      place.refuse("stands twice, first in line " + first.line, "write it once");
    }
  }

  private String below(String name) {
    String shortened = name.isEmpty() ? "''" : Messages.shorten(name);
    return path.equals(ROOT) ? shortened : path + "." + shortened;
  }

  /** Whether a mapping stands here that has the field. */
  boolean hasField(String name) {
    return node instanceof MappingNode mapping
        && mapping.getValue().stream()
            .anyMatch(t -> t.getKeyNode() instanceof ScalarNode k && k.getValue().equals(name));
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  boolean isTagged(Tag tag) {
    return node.getTag().equals(tag);
  }

  /** The text of a scalar; null of a mapping or list. */
  @Nullable String text() {
    return node instanceof ScalarNode scalar ? scalar.getValue() : null;
  }

  /** What stands here, for a message. */
  String described() {
    String text = text();
    if (text == null) {
      return isMapping() ? "a mapping" : "a list";
    } else if (isTagged(Tag.STR)) {
      return Messages.quote(text);
    } else if (isTagged(Tag.INT) || isTagged(Tag.FLOAT)) {
      return "the number " + Messages.shorten(text);
    } else if (isTagged(Tag.BOOL)) {
      return "the truth value " + Messages.shorten(text);
    } else if (isTagged(Tag.NULL)) {
      return "an empty value";
    }
    return "a value tagged " + Messages.quote(node.getTag().getValue());
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
