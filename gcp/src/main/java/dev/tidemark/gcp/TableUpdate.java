package dev.tidemark.gcp;

import com.google.api.services.bigquery.model.TableReference;
import com.google.api.services.bigquery.model.TableSchema;
import java.io.IOException;

/** Changes the columns of a table, which Beam's own services cannot. */
@FunctionalInterface
interface TableUpdate {

  /** Sets the columns; those that are there must be among them. */
  void setSchema(TableReference table, TableSchema schema) throws IOException;
}
