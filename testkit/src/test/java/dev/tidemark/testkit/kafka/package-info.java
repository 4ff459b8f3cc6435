@NullMarked
package dev.tidemark.testkit.kafka;

import org.jspecify.annotations.NullMarked;
