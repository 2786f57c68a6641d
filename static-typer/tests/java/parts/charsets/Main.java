package charsets;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Own extends java.nio.charset.Charset {
        Own() {
            super("own", null);
        }

        public boolean contains(java.nio.charset.Charset c) {
            return false;
        }

        public java.nio.charset.CharsetDecoder newDecoder() {
            called();
            return null;
        }

        public java.nio.charset.CharsetEncoder newEncoder() {
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new String(new byte[1], new Own());
    }
}

class Caller1 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new InputStreamReader(new Source(), java.nio.charset.StandardCharsets.UTF_8).read();
    }
}

/** Charsets. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
    }
}
