package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * {@code jrace check} reports nothing about the class or field, nor the code of the method. Nothing is proved by it, so runs go on
 * checking; {@code annotation = "jrace.annotations.NoWarn"} in a table {@code [[suppress]]} of {@code jrace.toml} suppresses what they
 * find of it.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface NoWarn {
    /** Why. */
    String value() default "";
}
