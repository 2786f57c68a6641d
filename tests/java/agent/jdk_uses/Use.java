import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.MissingResourceException;
import java.util.ResourceBundle;
import schedule.Program;

/** A use of the JDK between two accesses to a field, which it orders by chance at most. */
abstract class Use implements Program {
    /** Whether the JDK has been used so before. */
    static boolean again;

    abstract void use() throws Throwable;

    abstract void access();

    static void lookForBundle() {
        try {
            ResourceBundle.getBundle("nothing");
        } catch (MissingResourceException expected) {
            // The JDK knows now that there is none.
        }
    }

    private void used() {
        try {
            use();
        } catch (Throwable thrown) {
            System.out.println(getClass() + " " + thrown);
        }
    }

    @Override
    public void run() throws Exception {
        if (again) {
            used();
        }
        together(() -> {
            access();
            used();
            mark(this);
        }, () -> {
            until(this);
            used();
            access();
        });
    }
}
