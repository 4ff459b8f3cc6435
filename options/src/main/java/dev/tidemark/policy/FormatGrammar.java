package dev.tidemark.policy;

import static dev.tidemark.policy.Scalars.TEXT;
import static dev.tidemark.policy.Scalars.text;

import dev.tidemark.policy.Fields.Field;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The form of the policy's {@code format}, and what it asks of the pointers. */
final class FormatGrammar {
  static final Shape<Format> FORMAT = format();

  private FormatGrammar() {}

  private static Shape<Format> format() {
    return new ChoiceShape<Format>("a format")
        .or("json", new Format.Json(), "One JSON object a record.")
        .or("csv", csv(), "One line of separated values a record, without a header line.");
  }

  private static Shape<Format> csv() {
    Fields fields = new Fields("a CSV format");
    Field<List<String>> columns =
        fields.required(
            "columns",
            new ListShape<>("a list of columns", TEXT),
            "The name of each column, in order; the pointer /name reads it.");
    Field<Character> separator =
        fields.optional(
            "separator",
            text(
                "a separator",
                // No quote, line end, or half of a surrogate pair.
                "(?![\"\\r\\n])[\\u0001-\\ud7ff\\ue000-\\ufffd]",
                "write one character, in quotes",
                (place, text) -> text.charAt(0)),
            "','",
            "The one character between two values.");
    return fields.make(values -> new Format.Csv(values.get(columns), values.get(separator)));
  }

  /** Checks that each pointer of the policy names a column, where the format has columns. */
  static void checkColumns(Format format, Reading reading) {
    if (!(format instanceof Format.Csv csv)) {
      return;
    }
    Set<String> columns = new LinkedHashSet<>();
    for (String column : csv.columns()) {
      columns.add("/" + column.replace("~", "~0").replace("/", "~1"));
    }
    for (Reading.NamedPointer named : reading.pointers()) {
      if (!named.pointer().isMetadata() && !columns.contains(named.pointer().text())) {
        named
            .place()
            .refuse(
                named.place().described() + " is not a column of the format",
                Messages.didYouMean(named.pointer().text(), columns));
      }
    }
  }
}
