package dev.tidemark.testkit;

import java.lang.reflect.Method;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.testing.TestPipeline;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * Gives a test method its own {@link TestPipeline}, by a parameter of that type. A test that
 * applies something to it and does not run it fails, and so does one that applies something after
 * the run. Use it with {@code @ExtendWith}. A jqwik property is not run by Jupiter: it makes its
 * pipelines with {@link #newPipeline}.
 *
 * <p>Beam's own checks sit in its JUnit 4 rule; the test method runs inside that rule.
 */
public final class PipelineExtension implements ParameterResolver, InvocationInterceptor {
  private static final Namespace NAMESPACE = Namespace.create(PipelineExtension.class);

  /**
   * A pipeline whose steps must have stable unique names. On DirectRunner, if the system property
   * of {@link TestPipeline} does not say otherwise.
   */
  public static TestPipeline newPipeline() {
    PipelineOptions options = TestPipeline.testingPipelineOptions();
    // Outside the rule, run() wants the choice to be made.
    return TestPipeline.fromOptions(options).enableAbandonedNodeEnforcement(true);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType().equals(TestPipeline.class);
  }

  @Override
  public TestPipeline resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(TestPipeline.class, type -> newPipeline(), TestPipeline.class);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> test,
      ReflectiveInvocationContext<Method> invocation,
      ExtensionContext context)
      throws Throwable {
    runInsideRule(test, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> test,
      ReflectiveInvocationContext<Method> invocation,
      ExtensionContext context)
      throws Throwable {
    runInsideRule(test, context);
  }

  private static void runInsideRule(Invocation<Void> test, ExtensionContext context)
      throws Throwable {
    TestPipeline pipeline = context.getStore(NAMESPACE).get(TestPipeline.class, TestPipeline.class);
    if (pipeline == null) {
      test.proceed();
      return;
    }
    Statement statement =
        new Statement() {
          @Override
          public void evaluate() throws Throwable {
            test.proceed();
          }
        };
    pipeline
        .apply(
            statement,
            Description.createTestDescription(
                context.getRequiredTestClass(), context.getRequiredTestMethod().getName()))
        .evaluate();
  }
}
