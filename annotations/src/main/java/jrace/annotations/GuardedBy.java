package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Every access to the field, or to the fields of the class, holds the lock; {@code jrace check} proves it. */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface GuardedBy {
    /** A lock expression, as for {@link Requires}. */
    String value();
}
