/** Lines in and lines out: reading records from files, and writing them under dates and hours. */
@NullMarked
package dev.tidemark.pipelines.files;

import org.jspecify.annotations.NullMarked;
