package loading;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Loader extends ClassLoader {
        protected Class<?> findClass(String name) {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Loader().loadClass("own.Missing");
    }
}

class Caller1 {
    static class Loader extends java.net.URLClassLoader {
        Loader() {
            super(new java.net.URL[0]);
        }

        public java.net.URL findResource(String name) {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Loader().getResource("own");
    }
}

/** The loading of classes. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
    }
}
