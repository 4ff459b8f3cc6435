/** What the servers of the test kit have in common. */
@NullMarked
package dev.tidemark.testkit.http;

import org.jspecify.annotations.NullMarked;
