package dev.tidemark.gcp;

import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.services.bigquery.Bigquery;
import com.google.api.services.bigquery.model.Table;
import com.google.api.services.bigquery.model.TableReference;
import com.google.api.services.bigquery.model.TableSchema;
import com.google.auth.Credentials;
import com.google.auth.http.HttpCredentialsAdapter;
import java.io.IOException;
import org.apache.beam.sdk.extensions.gcp.options.GcpOptions;
import org.apache.beam.sdk.extensions.gcp.util.RetryHttpRequestInitializer;
import org.apache.beam.sdk.extensions.gcp.util.Transport;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryOptions;

/** BigQuery's REST API, with the credentials and the endpoint of Beam's options. */
final class BigQueryRest implements TableUpdate {
  private final BigQueryOptions options;

  BigQueryRest(BigQueryOptions options) {
    this.options = options;
  }

  @Override
  public void setSchema(TableReference table, TableSchema schema) throws IOException {
    client()
        .tables()
        .patch(
            table.getProjectId(),
            table.getDatasetId(),
            table.getTableId(),
            new Table().setSchema(schema))
        .execute();
  }

  private Bigquery client() {
    Credentials credentials = options.as(GcpOptions.class).getGcpCredential();
    HttpRequestInitializer retries = new RetryHttpRequestInitializer();
    HttpRequestInitializer initializer =
        credentials == null
            ? retries
            : request -> {
              new HttpCredentialsAdapter(credentials).initialize(request);
              retries.initialize(request);
            };
    Bigquery.Builder client =
        new Bigquery.Builder(Transport.getTransport(), Transport.getJsonFactory(), initializer)
            .setApplicationName(options.getAppName());
    if (options.getBigQueryEndpoint() != null) {
      client.setRootUrl(options.getBigQueryEndpoint());
    }
    return client.build();
  }
}
