package dev.tidemark.policy;

import java.io.Serializable;
import java.util.List;

/** How the bytes of a record are read. */
public sealed interface Format extends Serializable {

  /** One JSON object a record. */
  record Json() implements Format {}

  /**
   * One line of separated values a record, without a header line.
   *
   * @param columns the name of each column, in order; a pointer {@code /name} reads the column
   * @param separator one character
   */
  record Csv(List<String> columns, char separator) implements Format {
    public Csv {
      columns = List.copyOf(columns);
    }
  }
}
