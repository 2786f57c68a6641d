package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The objects of the class, and of those that extend it, are kept by objects of other classes, each by one: its owner. The name
 * stands for a lock of the owner in {@link GuardedBy} and {@link Requires}; for which, {@link LockArgs} says. {@code jrace check}
 * proves that there is one owner.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface LockParam {
    /** A name, for use in the class. */
    String value();
}
