package org.junit.jupiter.params.provider;

/** Stands for JUnit's. */
public interface Arguments {
    Object[] get();

    static Arguments of(Object... arguments) {
        return () -> arguments;
    }
}
