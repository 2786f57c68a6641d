package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the field gives the {@link LockParam} of its type: a lock of the object that keeps it. Without, it is the object's own. In
 * the class itself, and those that extend it, a field can only hand the parameter on.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.FIELD)
public @interface LockArgs {
    /** A lock expression, as for {@link Requires}, or the name of the parameter. */
    String value();
}
