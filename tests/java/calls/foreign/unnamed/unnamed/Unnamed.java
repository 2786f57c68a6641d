package unnamed;

import java.util.concurrent.locks.ReentrantLock;
import locks.Locks;

/** A lock of a class that no code of the program names. */
final class Unnamed {
    final ReentrantLock hidden = Locks.hidden(); // type: final
    int given; // type: unsafe

    void add() {
        hidden.lock();
        try {
            given++;
        } finally {
            hidden.unlock();
        }
    }

    public static void main(String[] args) {
        Unnamed unnamed = new Unnamed();
        new Thread(unnamed::add).start();
        unnamed.add();
    }
}
