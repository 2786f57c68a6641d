package waiting;

import static util.Threads.inTurns;

/** Who waits for others expects them to come in between: only what it does from one wait to the next has to be atomic. */
final class Slot {
    private int item;

    synchronized void put(int value) throws InterruptedException {
        while (item != 0) {
            wait(1);
        }
        item = value;
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (item == 0) {
            wait(1);
        }
        int taken = item;
        item = 0;
        notifyAll();
        return taken;
    }

    // atomicity: Slot.exchangeBad
    int exchangeBad(int value) throws InterruptedException {
        int taken = take();
        put(value);
        return taken;
    }

    synchronized int takeFailing() {
        if (item == 0) {
            throw new IllegalStateException("empty");
        }
        return item;
    }

    int takeFailingTwice() {
        try {
            return takeFailing();
        } catch (IllegalStateException empty) {
            synchronized (this) {
                return takeFailing();
            }
        }
    }
}

public final class Main {
    public static void main(String[] args) {
        Slot slot = new Slot();
        inTurns(() -> slot.put(1), slot::take, Main::takesNothing, () -> slot.put(2), () -> slot.exchangeBad(3));
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 0;
        Slot busy = new Slot();
        inTurns(() -> repeat(busy, times), () -> repeat(busy, times));
    }

    private static void takesNothing() {
        try {
            new Slot().takeFailingTwice();
        } catch (IllegalStateException expected) {
            // It is empty.
        }
    }

    private static void repeat(Slot slot, int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            slot.put(1);
            slot.take();
        }
    }
}
