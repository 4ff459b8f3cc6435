package dev.tidemark.templates;

import com.google.api.services.dataflow.model.ParameterMetadata;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.options.Default;
import org.apache.beam.sdk.options.Description;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsRegistrar;
import org.apache.beam.sdk.options.Validation;
import org.jspecify.annotations.Nullable;

/** The parameters of a template: the options of its command, in groups and with what they allow. */
final class Parameters {
  private static final String BUCKET_PATH = "^gs://[^\\s,]+$";
  private static final String BUCKET_PATHS = "^gs://[^\\s,]+(,gs://[^\\s,]+)*$";
  private static final String KAFKA_TOPIC = "^[a-zA-Z0-9._-]{1,249}$";
  private static final String KAFKA_TOPICS = "^[a-zA-Z0-9._-]+(,[a-zA-Z0-9._-]+)*$";
  private static final String PUBSUB_TOPIC = "^projects/[^/\\s]+/topics/[^/\\s]+$";
  private static final String SUBSCRIPTION = "^projects/[^/\\s]+/subscriptions/[^/\\s]+$";
  private static final String DURATION = "^(\\d+(ms|s|m|h|d))+$|^P.+$";

  private static final String INSTANT = "^\\d{4}-\\d{2}-\\d{2}T.+$";

  private static final String INPUT = "Input";
  private static final String KAFKA = "Kafka";
  private static final String OUTPUT = "Output";

  /** What an option's interface does not say. */
  private record Extra(String group, @Nullable String type, @Nullable String regex) {}

  private static final Map<String, Extra> EXTRAS =
      Map.ofEntries(
          Map.entry("policy", new Extra("Policy", null, BUCKET_PATHS)),
          Map.entry("input", new Extra(INPUT, null, BUCKET_PATHS)),
          Map.entry("results", new Extra(INPUT, null, BUCKET_PATHS)),
          Map.entry("tooLate", new Extra(INPUT, null, BUCKET_PATHS)),
          Map.entry("deadLetters", new Extra(INPUT, null, BUCKET_PATH)),
          Map.entry("reason", new Extra(INPUT, null, "^[A-Z_]+(,[A-Z_]+)*$")),
          Map.entry("from", new Extra(INPUT, null, INSTANT)),
          Map.entry("to", new Extra(INPUT, null, INSTANT)),
          Map.entry("maxAttempts", new Extra(OUTPUT, null, "^[1-9]\\d*$")),
          Map.entry("topic", new Extra(INPUT, null, KAFKA_TOPICS)),
          Map.entry("topicPattern", new Extra(INPUT, null, null)),
          Map.entry(
              "startFrom",
              new Extra(INPUT, null, "^(earliest|latest|committed|\\d{4}-\\d{2}-\\d{2}T.+)$")),
          Map.entry("subscription", new Extra(INPUT, "PUBSUB_SUBSCRIPTION", SUBSCRIPTION)),
          Map.entry("inputTopic", new Extra(INPUT, "PUBSUB_TOPIC", PUBSUB_TOPIC)),
          Map.entry("timestampAttribute", new Extra(INPUT, null, null)),
          Map.entry("idAttribute", new Extra(INPUT, null, null)),
          Map.entry("stopAfter", new Extra(INPUT, null, DURATION)),
          Map.entry(
              "bootstrapServers", new Extra(KAFKA, null, "^[^\\s,:]+:\\d+(,[^\\s,:]+:\\d+)*$")),
          Map.entry("consumerConfig", new Extra(KAFKA, null, null)),
          Map.entry("producerConfig", new Extra(KAFKA, null, null)),
          Map.entry("exactlyOnceGroup", new Extra(KAFKA, null, null)),
          Map.entry("output", new Extra(OUTPUT, "GCS_WRITE_FOLDER", BUCKET_PATH)),
          Map.entry("overwrite", new Extra(OUTPUT, null, null)),
          Map.entry("outputTopic", new Extra(OUTPUT, null, KAFKA_TOPIC)),
          Map.entry("latestTopic", new Extra(OUTPUT, null, KAFKA_TOPIC)),
          Map.entry("tooLateTopic", new Extra(OUTPUT, null, KAFKA_TOPIC)),
          Map.entry("deadLetterTopic", new Extra(OUTPUT, null, KAFKA_TOPIC)),
          Map.entry("outputPubsubTopic", new Extra(OUTPUT, "PUBSUB_TOPIC", PUBSUB_TOPIC)),
          Map.entry("tooLatePubsubTopic", new Extra(OUTPUT, "PUBSUB_TOPIC", PUBSUB_TOPIC)),
          Map.entry("deadLetterPubsubTopic", new Extra(OUTPUT, "PUBSUB_TOPIC", PUBSUB_TOPIC)),
          Map.entry("outputTable", new Extra(OUTPUT, "BIGQUERY_TABLE", null)),
          Map.entry("latestTable", new Extra(OUTPUT, "BIGQUERY_TABLE", null)),
          Map.entry("deadLetterRollBytes", new Extra(OUTPUT, null, "^\\d+$")),
          Map.entry("deadLetterRollEvery", new Extra(OUTPUT, null, DURATION)),
          Map.entry("withAccumulators", new Extra(OUTPUT, null, null)));

  private Parameters() {}

  static List<ParameterMetadata> of(Template template) {
    return options(template)
        .filter(getter -> getter.isAnnotationPresent(Description.class))
        .filter(getter -> !template.leftOut().contains(name(getter)))
        .map(getter -> parameter(getter, template.required()))
        .sorted(
            Comparator.comparing(ParameterMetadata::getIsOptional)
                .thenComparing(ParameterMetadata::getName))
        .toList();
  }

  /** Those of the command, and of a run's {@code Connector}s. */
  private static Stream<Method> options(Template template) {
    Set<Class<? extends PipelineOptions>> connectors =
        ServiceLoader.load(PipelineOptionsRegistrar.class).stream()
            .map(ServiceLoader.Provider::get)
            .map(PipelineOptionsRegistrar::getPipelineOptions)
            .flatMap(interfaces -> StreamSupport.stream(interfaces.spliterator(), false))
            .filter(each -> each.getName().startsWith("dev.tidemark."))
            .collect(Collectors.toSet());
    return Stream.concat(
            Arrays.stream(template.options().getMethods()),
            template.streaming()
                ? connectors.stream().flatMap(each -> Arrays.stream(each.getMethods()))
                : Stream.empty())
        .filter(method -> method.getDeclaringClass().getName().startsWith("dev.tidemark."))
        .distinct();
  }

  private static ParameterMetadata parameter(Method getter, Set<String> required) {
    String name = name(getter);
    Extra extra = EXTRAS.getOrDefault(name, new Extra(OUTPUT, null, null));
    boolean isRequired =
        getter.isAnnotationPresent(Validation.Required.class) || required.contains(name);
    ParameterMetadata parameter =
        new ParameterMetadata()
            .setName(name)
            .setLabel(label(name))
            .setHelpText(getter.getAnnotation(Description.class).value())
            .setIsOptional(!isRequired)
            .setGroupName(extra.group())
            .setParamType(extra.type() == null ? type(getter) : extra.type())
            .setDefaultValue(defaultValue(getter));
    return extra.regex() == null ? parameter : parameter.setRegexes(List.of(extra.regex()));
  }

  private static String name(Method getter) {
    return Introspector.decapitalize(getter.getName().replaceFirst("^(get|is)", ""));
  }

  /** {@code deadLetterTopic} is "Dead letter topic". */
  private static String label(String name) {
    String words = name.replaceAll("(\\p{Upper})", " $1").toLowerCase(Locale.ROOT);
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  private static String type(Method getter) {
    Class<?> type = getter.getReturnType();
    if (type == boolean.class || type == Boolean.class) {
      return "BOOLEAN";
    }
    return type.isPrimitive() || Number.class.isAssignableFrom(type) ? "NUMBER" : "TEXT";
  }

  private static @Nullable String defaultValue(Method getter) {
    for (Annotation annotation : getter.getAnnotations()) {
      if (annotation instanceof Default.Boolean value) {
        return String.valueOf(value.value());
      } else if (annotation instanceof Default.Long value) {
        return String.valueOf(value.value());
      } else if (annotation instanceof Default.Integer value) {
        return String.valueOf(value.value());
      } else if (annotation instanceof Default.Double value) {
        return String.valueOf(value.value());
      } else if (annotation instanceof Default.String value) {
        return value.value();
      } else if (annotation instanceof Default.Enum value) {
        return value.value();
      }
    }
    return null;
  }
}
