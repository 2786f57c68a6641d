package resources;

import java.io.*;
import java.util.*;

class Caller0 {
    static class Words extends ResourceBundle {
        protected Object handleGetObject(String key) {
            called();
            return key;
        }

        public Enumeration<String> getKeys() {
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Words().getString("word");
    }
}

class Caller1 {
    static class Words extends ListResourceBundle {
        protected Object[][] getContents() {
            called();
            return null;
        }
    }

    static void called() {}

    static void run() throws Exception {
        new Words().getString("word");
    }
}

/** Resources by locale. */
public class Main {
    public static void main(String[] args) throws Exception {
        Caller0.run();
        Caller1.run();
    }
}
