package dev.tidemark.testkit.gcs;

import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonError.ErrorInfo;
import com.google.api.client.json.GenericJson;
import java.util.List;

/** A call that the API does not carry out, with the status and the reason that it gives. */
final class Refusal extends RuntimeException {
  private final int status;
  private final String reason;

  Refusal(int status, String reason, String message) {
    super(message);
    this.status = status;
    this.reason = reason;
  }

  static Refusal invalid(String message) {
    return new Refusal(400, "invalid", message);
  }

  static Refusal notFound(String what) {
    return new Refusal(404, "notFound", "No such " + what);
  }

  static Refusal conflict(String message) {
    return new Refusal(409, "conflict", message);
  }

  Response response() {
    ErrorInfo info = new ErrorInfo();
    info.setDomain(status == 429 ? "usageLimits" : "global");
    info.setReason(reason);
    info.setMessage(getMessage());
    GoogleJsonError error = new GoogleJsonError();
    error.setCode(status);
    error.setMessage(getMessage());
    error.setErrors(List.of(info));
    return Response.json(status, new GenericJson().set("error", error));
  }
}
