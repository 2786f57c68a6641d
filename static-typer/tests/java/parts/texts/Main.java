package texts;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Told implements CharSequence {
        public String toString() {
            called();
            return "";
        }

        public int length() {
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
        java.text.MessageFormat.format("{0}", new Told());
    }
}

class Caller1 {
    static class Own extends java.text.Format {
        public StringBuffer format(Object o, StringBuffer to, java.text.FieldPosition p) {
            called();
            return to;
        }

        public Object parseObject(String s, java.text.ParsePosition p) {
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Own().format(1);
    }
}

class Caller2 {
    static class Own extends GregorianCalendar {
        protected void computeFields() {
            called();
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Own().get(1);
    }
}

class Caller3 {
    static class Own extends SimpleTimeZone {
        Own() {
            super(0, "own");
        }

        public int getOffset(long at) {
            called();
            return 0;
        }
    }

    static void called() {}

    static void run() throws Exception {
        TimeZone.setDefault(new Own());
        new Date().toString();
    }
}

/** Texts by locale. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
    }
}
