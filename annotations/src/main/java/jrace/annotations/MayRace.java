package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Races on the field, or on any field of the class, do no harm: {@code jrace races --except-mayrace} reports races on everything but these.
 * A field's own annotation counts before its class's, {@link NoRace} as well. Without the option it says nothing.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface MayRace {}
