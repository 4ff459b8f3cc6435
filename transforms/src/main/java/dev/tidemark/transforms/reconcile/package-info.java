/** What stands of an audit trail of results, and the corrections for what came too late. */
@NullMarked
package dev.tidemark.transforms.reconcile;

import org.jspecify.annotations.NullMarked;
