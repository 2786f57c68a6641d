package jrace.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * No race is to be on the field, or on any field of the class: {@code jrace races --only-norace} reports races on these and on nothing
 * else. In the type of a field or in the header of a method, as in {@code List<@NoRace Item>}, it says so of what has the type there, and
 * of what holds it. Without the option it says nothing.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.TYPE_USE})
public @interface NoRace {}
