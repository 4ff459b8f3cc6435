package dev.tidemark.dlq;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.tidemark.dlq.Fields.Field;
import dev.tidemark.policy.Format;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields that a policy names from the bytes of a record, in one pass that also checks the
 * rest of the record. Of a field that comes twice in one object, the last one wins. A byte order
 * mark at the start is skipped.
 */
final class FieldReader {
  static final int MAX_BYTES = 10 << 20;
  static final int MAX_DEPTH = 1_000;

  /** Only the depth is limited here: a long name or number in a field that nobody reads is fine. */
  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxNameLength(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE)
          .maxStringLength(Integer.MAX_VALUE)
          .build();

  /** Names come from the data: never interned, and too many alike are no error. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(CONSTRAINTS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .disable(JsonFactory.Feature.CHARSET_DETECTION) // what is given as bytes is ASCII
          .build();

  private static final CsvFactory CSV =
      CsvFactory.builder()
          .streamReadConstraints(CONSTRAINTS)
          .enable(CsvParser.Feature.EMPTY_UNQUOTED_STRING_AS_NULL)
          .disable(CsvParser.Feature.ALLOW_TRAILING_COMMA)
          .build();

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final PointerTree fields;
  private final @Nullable CsvSchema columns;

  private FieldReader(PointerTree fields, @Nullable CsvSchema columns) {
    this.fields = fields;
    this.columns = columns;
  }

  static FieldReader of(Format format, Iterable<Field> fields) {
    return new FieldReader(
        PointerTree.of(fields), format instanceof Format.Csv csv ? columns(csv) : null);
  }

  private static CsvSchema columns(Format.Csv csv) {
    CsvSchema.Builder schema = CsvSchema.builder().setColumnSeparator(csv.separator());
    csv.columns().forEach(schema::addColumn);
    return schema.build();
  }

  /** Sets those of the fields that the record has; the others are left as they are. */
  void read(byte[] bytes) throws UnusableRecord {
    if (bytes.length > MAX_BYTES) {
      throw new UnusableRecord(
          Reason.TOO_LARGE,
          "the record has " + bytes.length + " bytes; at most " + MAX_BYTES + " are allowed");
    }
    try (JsonParser record = parser(bytes)) {
      readRecord(record);
    } catch (StreamConstraintsException e) {
      throw new UnusableRecord(
          Reason.TOO_LARGE, "the record is nested deeper than " + MAX_DEPTH + " levels", e);
    } catch (IOException | RuntimeException e) { // a bug of the library must not stop a pipeline
      throw malformed(where(e), e);
    }
  }

  /** Strict, unlike the library, which would also guess UTF-16 and let overlong sequences pass. */
  private CharBuffer decode(byte[] bytes) throws UnusableRecord {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(in);
      boolean marked = text.hasRemaining() && text.get(text.position()) == BYTE_ORDER_MARK;
      return marked ? text.position(text.position() + 1) : text;
    } catch (CharacterCodingException e) {
      throw malformed("not UTF-8 at byte " + in.position(), null);
    }
  }

  private JsonParser parser(byte[] bytes) throws IOException, UnusableRecord {
    return columns == null && isAscii(bytes) ? JSON.createParser(bytes) : parser(decode(bytes));
  }

  /** Of such bytes, the library makes no other guess, and need not decode what nobody reads. */
  private static boolean isAscii(byte[] bytes) {
    for (byte value : bytes) {
      if (value <= 0) {
        return false;
      }
    }
    return true;
  }

  private JsonParser parser(CharBuffer text) throws IOException {
    JsonFactory factory = columns == null ? JSON : CSV;
    JsonParser parser =
        factory.createParser(text.array(), text.arrayOffset() + text.position(), text.remaining());
    if (columns != null) {
      parser.setSchema(columns);
    }
    return parser;
  }

  private void readRecord(JsonParser record) throws IOException, UnusableRecord {
    JsonToken first = record.nextToken();
    if (first == null) {
      throw malformed("the record is empty", null);
    }
    if (first == JsonToken.START_OBJECT) {
      readObject(record, fields);
    } else {
      record.skipChildren();
    }
    if (record.nextToken() != null) {
      throw malformed("the record goes on after its end", null);
    }
    if (first != JsonToken.START_OBJECT) {
      throw new UnusableRecord(
          Reason.NOT_AN_OBJECT,
          "the record is "
              + (first == JsonToken.START_ARRAY ? "an array" : "a scalar")
              + "; allowed: a JSON object");
    }
  }

  private void readObject(JsonParser record, PointerTree node) throws IOException {
    while (record.nextToken() == JsonToken.FIELD_NAME) {
      PointerTree child = node.child(record.currentName());
      record.nextToken();
      readValue(record, child);
    }
  }

  private void readArray(JsonParser record, PointerTree node) throws IOException {
    for (int i = 0; record.nextToken() != JsonToken.END_ARRAY; i++) {
      readValue(record, node.child(Integer.toString(i)));
    }
  }

  private void readValue(JsonParser record, @Nullable PointerTree node) throws IOException {
    if (node == null) {
      record.skipChildren();
      return;
    }
    node.forget(); // an earlier field of the same name, with all that was in it
    FieldValue value = FieldValue.of(record);
    if (node.field() != null) {
      node.field().set(value);
    }
    if (record.currentToken() == JsonToken.START_OBJECT) {
      readObject(record, node);
    } else if (record.currentToken() == JsonToken.START_ARRAY) {
      readArray(record, node);
    }
  }

  private UnusableRecord malformed(String problem, @Nullable Exception cause) {
    return columns == null
        ? new UnusableRecord(
            Reason.NOT_JSON, problem + "; allowed: one JSON object in UTF-8", cause)
        : new UnusableRecord(
            Reason.NOT_CSV,
            problem + "; allowed: one line of at most " + columns.size() + " cells in UTF-8",
            cause);
  }

  private static String where(Exception e) {
    JsonLocation location =
        e instanceof JsonProcessingException problem ? problem.getLocation() : null;
    return location == null
        ? "malformed"
        : "malformed at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
