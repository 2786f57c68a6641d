package late;

import static util.Threads.each;

import java.util.function.Consumer;

/** Guarded, as far as the classes go that are there from the beginning. */
final class Box {
    int value; // race: Box.value
    int[] cells = new int[1]; // race: Box.cells[]

    synchronized void add() {
        addLocked();
    }

    /** Early callers hold the lock. */
    void addLocked() {
        value++;
        cells[0]++;
    }

    synchronized int get() {
        return value + cells[0];
    }
}

/** Loads the classes that its arguments name and lets them have the box. */
public final class Main {
    public static void main(String[] names) throws Exception {
        Box box = new Box();
        each(box::add, box::add);
        for (String name : names) {
            Consumer<Object> late = late(name);
            each(() -> late.accept(box), box::add, () -> late.accept(box));
        }
        System.out.println(box.get());
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Object> late(String name) throws ReflectiveOperationException {
        return (Consumer<Object>) Class.forName(name).getDeclaredConstructor().newInstance();
    }
}
