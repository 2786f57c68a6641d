package org.junit.runners;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands for JUnit's. */
public class Parameterized {
    /** Stands for JUnit's. */
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Parameters {}
}
