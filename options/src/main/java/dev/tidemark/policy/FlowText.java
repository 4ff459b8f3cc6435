package dev.tidemark.policy;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/** Parts of a policy as one line, much as the file writes them: {@code {fixed: {size: 5m, …}}}. */
final class FlowText {
  private FlowText() {}

  /** The text of a field's value; {@code none} where there is none. */
  static String of(@Nullable Object value) {
    if (value == null) {
      return "none";
    } else if (value instanceof Duration duration) {
      return Durations.text(duration);
    } else if (value instanceof Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    } else if (value instanceof Map.Entry<?, ?> entry) {
      return entry.getKey() + ": " + of(entry.getValue());
    } else if (value instanceof List<?> list) {
      return list.stream().map(FlowText::of).collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof Windowing.ReportingCalendar calendar) {
      return "{calendar: {periods: " + calendar.file() + "}}";
    } else if (value instanceof Record part && !(value instanceof Pointer)) {
      return record(part);
    }
    return value.toString();
  }

  private static String record(Record part) {
    String name = part.getClass().getSimpleName();
    String field = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    List<Map.Entry<String, Object>> values = new ArrayList<>();
    for (RecordComponent component : part.getClass().getRecordComponents()) {
      Object value = value(part, component);
      if (value != null) {
        values.add(Map.entry(component.getName(), value));
      }
    }
    return values.isEmpty() ? field : "{" + field + ": " + of(values) + "}";
  }

  private static @Nullable Object value(Record part, RecordComponent component) {
    try {
      return component.getAccessor().invoke(part);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the parts of a policy are public records", e);
    }
  }
}
