package patterns;

import java.io.*;
import java.util.*;

class Caller0 {
    static void called() {}

    static void run() throws Exception {
        java.util.regex.Pattern.compile("a").matcher("a").replaceAll(found -> { called(); return ""; });
    }
}

class Caller1 {
    static class Letters implements CharSequence {
        public int length() {
            called();
            return 0;
        }

        public char charAt(int at) {
            return 'a';
        }

        public CharSequence subSequence(int a, int b) {
            return this;
        }
    }

    static void called() {}

    static void run() throws Exception {
        java.util.regex.Pattern.matches("a", new Letters());
    }
}

class Caller2 {
    static void called() {}

    static void run() throws Exception {
        new Scanner("a b").tokens().forEach(each -> called());
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
        new Scanner(new Source()).hasNext();
    }
}

class Caller4 {
    static void called() {}

    static void run() throws Exception {
        java.util.regex.Pattern.compile("a").splitAsStream("b").forEach(each -> called());
    }
}

/** Patterns. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
        Caller4.run();
    }
}
