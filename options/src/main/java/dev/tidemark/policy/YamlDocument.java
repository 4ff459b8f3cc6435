package dev.tidemark.policy;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Turns text into the one plain YAML document that it holds, or says why it does not. */
final class YamlDocument {
  private static final int DEEPEST = 20;
  private static final String WRITE_YAML = "write YAML or JSON";

  private YamlDocument() {}

  /** The document's root; null after the reading has been told what is wrong. */
  static @Nullable Place read(Reading reading, String text) {
    // A buffer that holds the whole text, as the library fails on a pair of surrogates that its
    // buffer splits.
    LoadSettings settings = LoadSettings.builder().setBufferSize(text.length() + 1).build();
    try {
      if (!isPlain(reading, new Parse(settings).parseString(text))) {
        return null;
      }
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        reading.refuse(1, Place.ROOT, "is empty", WRITE_YAML);
      }
      return root.map(node -> Place.root(reading, node)).orElse(null);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(Mark::getLine).orElse(0) + 1;
      refuseSyntax(reading, line, String.valueOf(e.getProblem()));
    } catch (ReaderException e) {
      int line = 1 + (int) text.chars().limit(e.getPosition()).filter(c -> c == '\n').count();
      refuseSyntax(reading, line, String.format("U+%04X is not allowed", e.getCodePoint()));
    } catch (YamlEngineException e) {
      refuseSyntax(reading, 1, String.valueOf(e.getMessage()));
    }
    return null;
  }

  private static void refuseSyntax(Reading reading, int line, String problem) {
    String allowed = problem.contains("TAB") ? "indent with spaces" : WRITE_YAML;
    reading.refuse(line, Place.ROOT, "is not YAML: " + problem, allowed);
  }

  /**
   * Looks at the events before anything is built from them: composing recurses, and would overflow
   * the stack where the text nests without end.
   */
  private static boolean isPlain(Reading reading, Iterable<Event> events) {
    int before = reading.problemCount();
    int documents = 0;
    int depth = 0;
    for (Event event : events) {
      if (event instanceof DocumentStartEvent && ++documents == 2) {
        refuse(reading, event, "has a second document", "write one policy a file");
      } else if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
        refuse(reading, event, "nests deeper than " + DEEPEST, "write a flatter policy");
        return false;
      } else if (event instanceof CollectionEndEvent) {
        depth--;
      }
      refuseSharing(reading, event);
    }
    return reading.problemCount() == before;
  }

  private static void refuseSharing(Reading reading, Event event) {
    if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
      String sign = event instanceof AliasEvent ? "alias *" : "anchor &";
      String name = node.getAnchor().map(Anchor::getValue).orElseThrow();
      refuse(
          reading,
          event,
          "has the " + sign + Messages.shorten(name),
          "write the value out, without anchors and aliases");
    }
  }

  private static void refuse(Reading reading, Event event, String wrong, String allowed) {
    int line = event.getStartMark().map(Mark::getLine).orElse(0) + 1;
    reading.refuse(line, Place.ROOT, wrong, allowed);
  }
}
