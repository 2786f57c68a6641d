package times;

import java.io.*;
import java.util.*;

class Caller0 {
    static void called() {}

    static void run() throws Exception {
        java.time.LocalDate.now().with(temporal -> { called(); return temporal; });
    }
}

class Caller1 {
    static void called() {}

    static void run() throws Exception {
        java.time.LocalDate.now().datesUntil(java.time.LocalDate.now()).forEach(each -> called());
    }
}

class Caller2 {
    static class Own extends java.math.BigInteger {
        Own() {
            super("1");
        }

        public int signum() {
            called();
            return 1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new java.math.BigDecimal(new Own(), 1).signum();
    }
}

class Caller3 {
    static class Own extends java.math.BigInteger {
        Own() {
            super("1");
        }

        public String toString() {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        System.out.println(new Own());
    }
}

/** Times and large numbers. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
    }
}
