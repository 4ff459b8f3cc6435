package dev.tidemark.pipelines.deadletters;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;

import dev.tidemark.pipelines.UsageException;
import dev.tidemark.pipelines.files.OutputDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimsTest {
  private final Claims claims = new Claims("m");
  @TempDir private Path directory = Path.of("");

  @Test
  void aFileIsOfTheReplayThatClaimedItFirstForEver() throws Exception {
    assertThat(claim(claims, "a.ndjson", "one"), is(true));
    assertThat(claim(claims, "a.ndjson", "two"), is(false));
    assertThat(claim(claims, "a.ndjson", "one"), is(true));
    assertThat(new Claims("m").claimedBelow(directory.toString()), is(Set.of(file("a.ndjson"))));
  }

  @Test
  void theMetricsOfAFileAreClaimedEachForItself() throws Exception {
    claim(claims, "a.ndjson", "one");
    Claims others = new Claims("other");
    assertThat(others.claimedBelow(directory.toString()), is(empty()));
    assertThat(claim(others, "a.ndjson", "two"), is(true));
  }

  @Test
  void aClaimLiesBesideItsFileAndGoesWithIt() throws Exception {
    claim(claims, "x/a.ndjson", "one");
    Files.move(directory.resolve("x"), directory.resolve("y"));
    assertThat(claims.claimedBelow(directory.toString()), is(Set.of(file("y/a.ndjson"))));
    assertThat(claim(claims, "y/a.ndjson", "two"), is(false));
  }

  private boolean claim(Claims of, String file, String run) throws IOException, UsageException {
    return of.claim(file(file), run, new OutputDirectory(directory.resolve("out").toString()));
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }
}
