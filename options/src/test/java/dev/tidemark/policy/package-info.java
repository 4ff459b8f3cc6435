@NullMarked
package dev.tidemark.policy;

import org.jspecify.annotations.NullMarked;
