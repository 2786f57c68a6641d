package archives;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new java.util.zip.InflaterInputStream(new Source()).read();
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
        new java.util.jar.JarInputStream(new Source()).getNextJarEntry();
    }
}

class Caller2 {
    static class Sum implements java.util.zip.Checksum {
        public void update(int b) {
            called();
        }

        public void update(byte[] b, int f, int n) {}

        public long getValue() {
            return 0;
        }

        public void reset() {}
    }

    static void called() {}

    static void run() throws Exception {
        new java.util.zip.CheckedInputStream(InputStream.nullInputStream(), new Sum()).read();
    }
}

/** Archives. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
    }
}
