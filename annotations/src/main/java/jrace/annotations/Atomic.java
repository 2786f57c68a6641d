package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Executions of the method, or of the methods of the class, are as if nothing came in between: {@code jrace check} proves it, and
 * {@code jrace run --atomicity} checks it.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Atomic {}
