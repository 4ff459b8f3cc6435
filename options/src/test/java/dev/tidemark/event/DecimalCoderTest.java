package dev.tidemark.event;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.is;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.beam.sdk.coders.BigDecimalCoder;
import org.apache.beam.sdk.coders.Coder;

class DecimalCoderTest {

  @Property
  void theBytesAreThoseOfBeam(@ForAll BigDecimal value) throws IOException {
    byte[] bytes = bytes(DecimalCoder.of(), value);
    assertThat(bytes, is(bytes(BigDecimalCoder.of(), value)));
    assertThat(DecimalCoder.of().decode(new ByteArrayInputStream(bytes)), is(value));
  }

  private static byte[] bytes(Coder<BigDecimal> coder, BigDecimal value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    coder.encode(value, bytes);
    return bytes.toByteArray();
  }
}
