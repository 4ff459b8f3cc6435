package dev.tidemark.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** What the reading of one policy gathers: its problems, and the pointers that it names. */
final class Reading {
  private final String file;
  private final List<Problem> problems = new ArrayList<>();
  private final List<NamedPointer> pointers = new ArrayList<>();

  private record Problem(boolean elsewhere, int line, String text) {}

  /** A pointer, and the place that names it. */
  record NamedPointer(Place place, Pointer pointer) {}

  /**
   * @param file the policy's file, as problems name it
   */
  Reading(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  /** Reports a problem in the policy's own file. */
  void refuse(int line, String field, String wrong, String allowed) {
    add(false, file, line, field, wrong, allowed);
  }

  /** Reports a problem in a file that the policy names. */
  void refuseIn(String otherFile, int line, String field, String wrong, String allowed) {
    add(true, otherFile, line, field, wrong, allowed);
  }

  private void add(
      boolean elsewhere, String where, int line, String field, String wrong, String allowed) {
    String text = where + ":" + line + ": " + field + ": " + wrong + "; " + allowed;
    problems.add(new Problem(elsewhere, line, oneLine(text)));
  }

  int problemCount() {
    return problems.size();
  }

  /** Every problem, by line; those of the policy's own file first. */
  List<String> problems() {
    return problems.stream()
        .sorted(Comparator.comparing(Problem::elsewhere).thenComparing(Problem::line))
        .map(Problem::text)
        .toList();
  }

  void name(Place place, Pointer pointer) {
    pointers.add(new NamedPointer(place, pointer));
  }

  List<NamedPointer> pointers() {
    return pointers;
  }

  /** Text with its control characters escaped, so that it stays on one line. */
  static String oneLine(String text) {
    return text.codePoints()
        .mapToObj(c -> isPlain(c) ? Character.toString(c) : String.format("\\u%04x", c))
        .collect(Collectors.joining());
  }

  private static boolean isPlain(int codePoint) {
    int type = Character.getType(codePoint);
    return !Character.isISOControl(codePoint)
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR;
  }
}
