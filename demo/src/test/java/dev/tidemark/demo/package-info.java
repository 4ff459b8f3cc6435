@NullMarked
package dev.tidemark.demo;

import org.jspecify.annotations.NullMarked;
