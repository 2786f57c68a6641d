package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Callers of the method hold these locks; {@code jrace check} proves it at every call. */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Requires {
    /** Lock expressions: {@code this}, {@code field}, {@code Outer.this}, {@code C.class}, {@code C.field}. */
    String[] value();
}
