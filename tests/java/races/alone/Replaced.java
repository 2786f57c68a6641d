package alone;

import java.lang.reflect.Field;

/** A final field with a lock that reflection writes, and one that stays. */
public class Replaced {
    private final Object lock = new Object();
    private final Object kept = new Object();
    private int count; // race
    private int guarded;

    public void count() {
        synchronized (lock) {
            count++;
        }
    }

    public void guard() {
        synchronized (kept) {
            guarded++;
        }
    }

    public void replace() throws ReflectiveOperationException {
        Field field = Replaced.class.getDeclaredField("lock");
        field.setAccessible(true);
        field.set(this, new Object());
    }
}
