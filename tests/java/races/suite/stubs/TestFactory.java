package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands for JUnit's. */
@Retention(RetentionPolicy.RUNTIME)
public @interface TestFactory {}
