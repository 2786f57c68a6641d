package watched;

import ch.qos.logback.Logger;
import java.io.File;

/** Two threads that log. */
public final class Main {
    private static int value; // race: Main.value
    private static int appended;
    private static int told;

    private Main() {}

    public static void main(String[] none) throws Exception {
        File done = new File("done");
        Thread first = new Thread(() -> {
            value++;
            Logger.log();
            Logger.append(() -> appended++);
            told = 1;
            Logger.later(() -> "told " + told);
            create(done);
        });
        Thread second = new Thread(() -> {
            until(done);
            Logger.append(() -> appended++);
            Logger.log();
            value++;
            next();
        });
        first.start();
        second.start();
        first.join();
        second.join();
    }

    private static void next() {
        try {
            Logger.next();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** By files, of which no checker knows. */
    private static void create(File file) {
        try {
            file.createNewFile();
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void until(File file) {
        while (!file.exists()) {
            Thread.onSpinWait();
        }
    }
}
