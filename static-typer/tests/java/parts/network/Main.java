package network;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Own extends java.net.URLStreamHandler {
        protected java.net.URLConnection openConnection(java.net.URL url) {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new java.net.URL(null, "own:it", new Own()).openStream();
    }
}

class Caller1 {
    static class Own extends java.net.URLStreamHandler {
        protected java.net.URLConnection openConnection(java.net.URL url) {
            return null;
        }

        protected int hashCode(java.net.URL url) {
            called();
            return 1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new HashSet<Object>().add(new java.net.URL(null, "own:it", new Own()));
    }
}

/** The network. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
    }
}
