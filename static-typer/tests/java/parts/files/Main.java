package files;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Visitor extends java.nio.file.SimpleFileVisitor<java.nio.file.Path> {
        public java.nio.file.FileVisitResult visitFile(java.nio.file.Path file, java.nio.file.attribute.BasicFileAttributes a) {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        java.nio.file.Files.walkFileTree(new File(".").toPath(), new Visitor());
    }
}

class Caller1 {
    static void called() {}

    static void run() throws Exception {
        java.nio.file.Files.newDirectoryStream(new File(".").toPath(), path -> { called(); return true; }).iterator().hasNext();
    }
}

class Caller2 {
    static void called() {}

    static void run() throws Exception {
        java.nio.file.Files.walk(new File(".").toPath()).forEach(each -> called());
    }
}

class Caller3 {
    static void called() {}

    static void run() throws Exception {
        new File(".").toPath().forEach(each -> called());
    }
}

class Caller4 {
    static void called() {}

    static void run() throws Exception {
        java.nio.file.Files.lines(new File("a").toPath()).forEach(each -> called());
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
        java.nio.channels.Channels.newChannel(new Source()).read(java.nio.ByteBuffer.allocate(1));
    }
}

/** Files and channels. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
        Caller2.run();
        Caller3.run();
        Caller4.run();
        Caller5.run();
    }
}
