package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Objects of the class never reach another thread; {@code jrace check} proves it for each field. */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface ThreadLocal {}
