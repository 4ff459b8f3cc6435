package dev.tidemark.gcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;

import dev.tidemark.pipelines.Command;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.Description;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The help of a command whose class path need not have this module. */
class HelpTest {
  static Stream<String> options() {
    return Stream.of(PubsubRunOptions.class, BigQuerySinkOptions.class)
        .flatMap(options -> Arrays.stream(options.getDeclaredMethods()))
        .filter(getter -> getter.isAnnotationPresent(Description.class))
        .map(Method::getName)
        .map(name -> "--" + Introspector.decapitalize(name.replaceFirst("^get", "")));
  }

  @ParameterizedTest
  @MethodSource("options")
  void ofRunNamesEveryOptionOfGoogleCloud(String option) {
    assertThat(Command.runHere("run", "--help").out(), containsString(option));
  }
}
