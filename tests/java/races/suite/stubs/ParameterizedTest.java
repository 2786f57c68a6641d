package org.junit.jupiter.params;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands for JUnit's. */
@Retention(RetentionPolicy.RUNTIME)
public @interface ParameterizedTest {}
