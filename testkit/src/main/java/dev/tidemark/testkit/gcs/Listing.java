package dev.tidemark.testkit.gcs;

import com.google.api.services.storage.model.Objects;
import com.google.api.services.storage.model.StorageObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A page of the objects of a bucket. With a delimiter, the names that share all up to their first
 * delimiter behind the prefix are one entry, a common prefix. A page token is the last entry of the
 * page before.
 */
final class Listing {
  /** A page is never longer, whatever is asked for. */
  private static final long LONGEST_PAGE = 1000;

  private final String prefix;
  private final String delimiter;
  private final long longest;
  private final List<StorageObject> items = new ArrayList<>();
  private final List<String> prefixes = new ArrayList<>();
  private String last;

  Listing(Request request) {
    this.prefix = request.parameter("prefix", "");
    this.delimiter = request.parameter("delimiter", "");
    this.last = decode(request.parameter("pageToken", ""));
    Long asked = request.number("maxResults");
    this.longest = asked == null ? LONGEST_PAGE : Math.min(asked, LONGEST_PAGE);
  }

  /**
   * The page that the request asks for.
   *
   * @param all in the order of their names
   */
  Objects page(List<StoredObject> all) {
    for (StoredObject object : all) {
      String entry = entry(object.name());
      if (!object.name().startsWith(prefix) || ObjectStore.BY_UTF_8.compare(entry, last) <= 0) {
        continue;
      }
      if (items.size() + prefixes.size() == longest) {
        return result().setNextPageToken(encode(last));
      }
      if (entry.endsWith(delimiter) && !delimiter.isEmpty()) {
        prefixes.add(entry);
      } else {
        items.add(object.resource());
      }
      last = entry;
    }
    return result();
  }

  private String entry(String name) {
    int at = delimiter.isEmpty() ? -1 : name.indexOf(delimiter, prefix.length());
    return at < 0 ? name : name.substring(0, at + delimiter.length());
  }

  /** The API leaves out a list that is empty, and clients look for that. */
  private Objects result() {
    return new Objects()
        .setKind("storage#objects")
        .setItems(items.isEmpty() ? null : items)
        .setPrefixes(prefixes.isEmpty() ? null : prefixes);
  }

  private static String encode(String entry) {
    return Base64.getUrlEncoder().encodeToString(entry.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(String pageToken) {
    return new String(Base64.getUrlDecoder().decode(pageToken), StandardCharsets.UTF_8);
  }
}
