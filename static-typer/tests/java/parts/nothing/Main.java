package nothing;

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
        String.valueOf(new Told());
    }
}

class Caller1 {
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
        String.format("%s", new Told());
    }
}

class Caller2 {
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
        new StringBuilder().append((Object) new Told());
    }
}

class Caller3 {
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
        System.out.println(new Told());
    }
}

class Caller4 {
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
        String.join(new Told(), List.of());
    }
}

class Caller5 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new InputStreamReader(new Source(), "UTF-8").read();
    }
}

class Caller6 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new ObjectInputStream(new Source()).readObject();
    }
}

class Caller7 {
    static class Source extends InputStream {
        public int read() {
            called();
            return -1;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Properties().load(new Source());
    }
}

class Caller8 {
    static class Sink extends OutputStream {
        public void write(int b) {
            called();
        }
    }

    static void called() {}

    static void run() throws Exception {
        new PrintStream(new Sink()).print(1);
    }
}

class Caller9 {
    static class Key {
        public int hashCode() {
            called();
            return 1;
        }

        public boolean equals(Object other) {
            called();
            return true;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new HashMap<Object, Object>().put(new Key(), 1);
    }
}

class Caller10 {
    static class Key {
        public int hashCode() {
            called();
            return 1;
        }

        public boolean equals(Object other) {
            called();
            return true;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Hashtable<Object, Object>().put(new Key(), 1);
    }
}

class Caller11 {
    static class Key {
        public int hashCode() {
            called();
            return 1;
        }

        public boolean equals(Object other) {
            called();
            return true;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new java.util.concurrent.ConcurrentHashMap<Object, Object>().put(new Key(), 1);
    }
}

class Caller12 {
    static class Key {
        public int hashCode() {
            called();
            return 1;
        }

        public boolean equals(Object other) {
            called();
            return true;
        }
    }

    static void called() {}

    static void run() throws Exception {
        List.of(new Key()).contains(new Key());
    }
}

class Caller13 {
    static void called() {}

    static void run() throws Exception {
        new Timer().schedule(new TimerTask() { public void run() { called(); } }, 1);
    }
}

class Caller14 {
    static void called() {}

    static void run() throws Exception {
        List.of(1, 2).stream().parallel().forEach(each -> called());
    }
}

class Caller15 {
    static void called() {}

    static void run() throws Exception {
        Arrays.asList(1, 2).sort((a, b) -> { called(); return 0; });
    }
}

class Caller16 {
    static void called() {}

    static void run() throws Exception {
        Optional.of(1).map(each -> { called(); return each; });
    }
}

class Caller17 {
    static void called() {}

    static void run() throws Exception {
        new Random().ints(1).forEach(each -> called());
    }
}

class Caller18 {
    static void called() {}

    static void run() throws Exception {
        java.util.concurrent.CompletableFuture.runAsync(() -> called());
    }
}

class Caller19 {
    static void called() {}

    static void run() throws Exception {
        java.lang.ref.Cleaner.create().register(new Object(), () -> called());
    }
}

class Caller20 {
    static class Own extends java.lang.ref.WeakReference<Object> {
        Own(java.lang.ref.ReferenceQueue<Object> queue) {
            super(queue, queue);
        }

        void gone() {
            called();
        }
    }

    static void called() {}

    static void run() throws Exception {
        java.lang.ref.ReferenceQueue<Object> queue = new java.lang.ref.ReferenceQueue<>();
        new Own(queue);
        ((Own) queue.remove()).gone();
    }
}

class Caller21 {
    static void called() {}

    static void run() throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> called()));
    }
}

class Caller22 {
    static class Failure extends Exception {
        public String getMessage() {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Failure().printStackTrace();
    }
}

class Caller23 {
    static class Shown implements Formattable {
        public void formatTo(Formatter f, int a, int b, int c) {
            called();
        }
    }

    static void called() {}

    static void run() throws Exception {
        String.format("%s", new Shown());
    }
}

/** Names no type of any part. */
public class Main {
    public static void main(String[] args) throws Exception {
        More.run();
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
        Caller4.run();
        Caller5.run();
        Caller6.run();
        Caller7.run();
        Caller8.run();
        Caller9.run();
        Caller10.run();
        Caller11.run();
        Caller12.run();
        Caller13.run();
        Caller14.run();
        Caller15.run();
        Caller16.run();
        Caller17.run();
        Caller18.run();
        Caller19.run();
        Caller20.run();
        Caller21.run();
        Caller22.run();
        Caller23.run();
    }
}
