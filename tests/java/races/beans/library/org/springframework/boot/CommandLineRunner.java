package org.springframework.boot;

public interface CommandLineRunner {
    void run(String... arguments) throws Exception;
}
