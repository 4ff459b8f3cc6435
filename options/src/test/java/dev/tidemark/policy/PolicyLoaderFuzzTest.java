package dev.tidemark.policy;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PolicyLoaderFuzzTest {
  private static final String[] FRAGMENTS = {
    "\t",
    "\n",
    "\u0000",
    "\ufeff",
    "\ud800",
    "&a ",
    "*a",
    "<<: {a: b}",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "? ",
    "- ",
    "|",
    ">",
    "%",
    "@",
    "`",
    "#",
    "!!int ",
    "!x ",
    "\"",
    "'",
    "---\n",
    "...\n",
    "0x1f",
    "1e999999999",
    "-1",
    ".nan",
    ".inf",
    "99999999999999999999d",
    "PT",
    "P",
    "null",
    "~",
    "true",
    "{}",
    "[]",
    "/~",
    "periods: ../\u0000",
    "{periods: x.csv}",
    "😀",
    "\\u0041",
    "a: &b [*b]"
  };

  /** A change of a text at a share of its length. */
  record Edit(double at, int deleted, String inserted) {
    String apply(String text) {
      int start = (int) (at * text.length());
      int end = Math.min(text.length(), start + deleted);
      return text.substring(0, start) + inserted + text.substring(end);
    }
  }

  @Provide
  Arbitrary<String> mutated() {
    Arbitrary<String> inserted =
        Arbitraries.oneOf(
            Arbitraries.of(FRAGMENTS),
            Arbitraries.strings().ofMaxLength(8),
            Arbitraries.of(FRAGMENTS).map(fragment -> fragment.repeat(2001)));
    Arbitrary<Edit> edit =
        Combinators.combine(
                Arbitraries.doubles().between(0, 1),
                Arbitraries.integers().between(0, 12),
                inserted)
            .as(Edit::new);
    return Combinators.combine(
            Arbitraries.of(PolicyExamples.valid()), edit.list().ofMinSize(1).ofMaxSize(4))
        .as(PolicyLoaderFuzzTest::apply);
  }

  private static String apply(String text, List<Edit> edits) {
    String mutated = text;
    for (Edit edit : edits) {
      mutated = edit.apply(mutated);
    }
    return mutated;
  }

  @Property(tries = 3000)
  void aBrokenPolicyIsOnlyEverRefusedWithLines(@ForAll("mutated") String text) {
    try {
      PolicyLoader.parse(text, "policy.yaml");
    } catch (PolicyException e) {
      assertThat(e.problems(), is(not(empty())));
      assertThat(
          e.problems(), everyItem(matchesPattern("[a-z.]+:[1-9][0-9]*: [^\\r\\n]+: .+; .+")));
    }
  }
}
