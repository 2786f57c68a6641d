// Write Later, Reach Kept, Begin Static, Threads Lambda, Lock NoLock, Owner Cloned
// alone: Reach Kept, Begin Static, Threads Lambda
package cloned;

class X {
    int hits;
}

class Holder implements Cloneable {
    X kept = new X();

    synchronized void count() {
        kept.hits++;
    }
}

final class Main {
    static Holder holder;

    static void work() {
        holder = new Holder();
        holder.count();
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
