package told;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.sql.SQLException;
import util.Threads;

/** What only tells of fields and proxies, or reads numbers by them, hides no call: a search proves what it does without. */
public final class Main {
    static int raced; // race: Main.raced

    private Main() {}

    /** Its initializer runs with that of a class below, as one method is not abstract (JVMS 5.5). */
    interface Limits {
        int LEAST = 3;
        int MOST = least() + 4;

        default int most() {
            return MOST;
        }

        private static int least() {
            return LEAST;
        }
    }

    static final class Own implements Limits {
        int sum;
    }

    private static int sum() throws IllegalAccessException {
        Own own = new Own();
        for (Field field : Limits.class.getFields()) {
            if (field.getType() == int.class) {
                own.sum += field.getInt(null) + (Integer) field.get(null) + field.getName().length();
            }
        }
        return own.sum + own.most();
    }

    private static void count() throws Exception {
        if (sum() < 20 || MethodHandles.publicLookup() == null || new SQLException("late").getMessage() == null) {
            throw new IllegalStateException();
        }
        raced++;
    }

    public static void main(String[] args) {
        Threads.each(Main::count, Main::count, Main::count);
    }
}
