@NullMarked
package dev.tidemark.gcp;

import org.jspecify.annotations.NullMarked;
