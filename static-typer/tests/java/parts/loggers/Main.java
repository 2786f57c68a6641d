package loggers;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Heard extends java.util.logging.Handler {
        public void publish(java.util.logging.LogRecord entry) {
            called();
        }

        public void flush() {}

        public void close() {}
    }

    static void called() {}

    static void run() throws Exception {
        java.util.logging.Logger.getLogger("own").addHandler(new Heard());
        java.util.logging.Logger.getLogger("own").info("text");
    }
}

class Caller1 {
    static class Told {
        @Override
        public String toString() {
            called();
            return "";
        }
    }

    static void called() {}

    static void run() throws Exception {
        java.util.logging.LogRecord entry = new java.util.logging.LogRecord(java.util.logging.Level.INFO, "{0}");
        entry.setParameters(new Object[] {new Told()});
        new java.util.logging.SimpleFormatter().format(entry);
    }
}

/** Loggers. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
    }
}
