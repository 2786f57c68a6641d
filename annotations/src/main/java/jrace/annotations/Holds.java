package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The method holds these locks for a reason that types do not see. Its accesses and calls are taken to hold them; nothing is
 * proved by it, so runs with a focus go on checking.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Holds {
    /** Lock expressions, as for {@link Requires}. */
    String[] value();
}
