package security;

import java.io.*;
import java.util.*;

class Caller0 {
    static void called() {}

    static void run() throws Exception {
        java.security.AccessController.doPrivileged((java.security.PrivilegedAction<Integer>) () -> { called(); return 1; });
    }
}

class Caller1 {
    static class Own extends java.security.Provider {
        Own() {
            super("own", "1", "none");
        }

        public Service getService(String a, String b) {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        java.security.MessageDigest.getInstance("SHA-1", new Own());
    }
}

class Caller2 {
    static class Digest extends java.security.MessageDigestSpi {
        protected void engineUpdate(byte b) {
            called();
        }

        protected void engineUpdate(byte[] b, int f, int n) {}

        protected byte[] engineDigest() {
            return null;
        }

        protected void engineReset() {}
    }

    static class Own extends java.security.MessageDigest {
        Own() {
            super("own");
        }

        protected void engineUpdate(byte b) {
            called();
        }

        protected void engineUpdate(byte[] b, int f, int n) {}

        protected byte[] engineDigest() {
            return null;
        }

        protected void engineReset() {}
    }

    static void called() {}

    static void run() throws Exception {
        new Own().update((byte) 1);
    }
}

class Caller3 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new java.security.DigestInputStream(new Source(), java.security.MessageDigest.getInstance("SHA-1")).read();
    }
}

/** Security. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
    }
}
