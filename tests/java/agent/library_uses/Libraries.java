import com.codahale.metrics.MetricRegistry;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import com.google.gson.Gson;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Min;
import org.apache.log4j.BasicConfigurator;
import org.apache.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What programs have once and all their threads use. */
abstract class Libraries extends Use {
    static final org.slf4j.Logger LOGBACK = LoggerFactory.getLogger("logback");
    static final org.apache.logging.log4j.Logger LOG4J = LogManager.getLogger("log4j");
    static final org.apache.log4j.Logger RELOAD4J = org.apache.log4j.Logger.getLogger("reload4j");
    static final ObjectMapper JACKSON = new ObjectMapper();
    static final Gson GSON = new Gson();
    static final com.google.common.cache.Cache<Object, Object> GUAVA = CacheBuilder.newBuilder().maximumSize(100).build();
    static final com.github.benmanes.caffeine.cache.Cache<Object, Object> CAFFEINE = Caffeine.newBuilder().maximumSize(100).build();
    static final MeterRegistry MICROMETER = new SimpleMeterRegistry();
    static final Counter COUNTER = MICROMETER.counter("counter");
    static final Timer TIMER = MICROMETER.timer("timer");
    static final MetricRegistry METRICS = new MetricRegistry();
    static final AnnotationConfigApplicationContext SPRING = new AnnotationConfigApplicationContext();
    static final Validator VALIDATOR = Validation.byDefaultProvider()
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()
            .getValidator();
    static final Tracer TRACER = SdkTracerProvider.builder().build().get("tracer");

    static {
        BasicConfigurator.configure();
        RELOAD4J.setLevel(Level.INFO);
        SPRING.registerBean("bean", Bean.class);
        SPRING.refresh();
    }

    /** What is written, read, made and validated. */
    public static class Bean {
        public int a = 3;

        @Min(1)
        public int getA() {
            return a;
        }
    }
}
