package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Which parameters of the method may be the same object: those with the same name, and those with {@code this} may be the object that it
 * is called on. All others are to be different ones, which {@code jrace races --modular} checks at each call that names the method.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AliasSets {
    /** A name for each parameter, as in {@code "from, to, _"}; {@code _} says nothing of it, as of what is no object. */
    String value();
}
