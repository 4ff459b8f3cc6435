package dev.tidemark.gcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.api.services.bigquery.model.TableFieldSchema;
import com.google.api.services.bigquery.model.TableReference;
import com.google.api.services.bigquery.model.TableSchema;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import org.apache.beam.sdk.extensions.gcp.auth.NoopCredentialFactory;
import org.apache.beam.sdk.extensions.gcp.options.GcpOptions;
import org.apache.beam.sdk.io.gcp.bigquery.BigQueryOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;

/** The one call that Beam does not make. */
class BigQueryRestTest {

  @Test
  void columnsAreSetByAPatchOfTheTable() throws Exception {
    List<String> calls = new CopyOnWriteArrayList<>();
    List<JsonNode> bodies = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String method = exchange.getRequestHeaders().getFirst("X-HTTP-Method-Override");
          calls.add(
              (method == null ? exchange.getRequestMethod() : method)
                  + " "
                  + exchange.getRequestURI().getPath());
          bodies.add(new ObjectMapper().readTree(new GZIPInputStream(exchange.getRequestBody())));
          byte[] answer = "{}".getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    try {
      BigQueryOptions options = PipelineOptionsFactory.as(BigQueryOptions.class);
      options.as(GcpOptions.class).setCredentialFactoryClass(NoopCredentialFactory.class);
      options.setBigQueryEndpoint("http://127.0.0.1:" + server.getAddress().getPort() + "/");
      new BigQueryRest(options)
          .setSchema(
              new TableReference().setProjectId("p").setDatasetId("d").setTableId("t"),
              new TableSchema()
                  .setFields(List.of(new TableFieldSchema().setName("n").setType("STRING"))));
    } finally {
      server.stop(0);
    }
    assertThat(calls, contains("PATCH /bigquery/v2/projects/p/datasets/d/tables/t"));
    assertThat(
        bodies.get(0).toString(),
        is("{\"schema\":{\"fields\":[{\"name\":\"n\",\"type\":\"STRING\"}]}}"));
  }
}
