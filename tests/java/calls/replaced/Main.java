package replaced;

import java.lang.reflect.Field;

/** A final field with a lock that reflection writes, and one that stays. */
public class Main implements Runnable {
    private final Object lock = new Object(); // type: final
    private final Object kept = new Object(); // type: final
    int count; // type: unsafe
    int guarded; // type: guarded this.kept

    @Override
    public void run() {
        synchronized (lock) {
            count++;
        }
        synchronized (kept) {
            guarded++;
        }
    }

    void replace() throws ReflectiveOperationException {
        Field field = Main.class.getDeclaredField("lock");
        field.setAccessible(true);
        field.set(this, new Object());
    }

    public static void main(String[] arguments) throws Exception {
        Main shared = new Main();
        new Thread(shared).start();
        shared.replace();
        new Thread(shared).start();
    }
}
