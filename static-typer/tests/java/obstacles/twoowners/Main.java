// Write Later, Reach Kept, Begin Static, Threads Lambda, Lock NoLock, Owner TwoOwners
// alone: Reach Kept, Begin Static, Threads Lambda
package twoowners;

class X {
    int hits;
}

class Holder {
    X kept = new X();

    synchronized void count() {
        kept.hits++;
    }

    void give(Holder other) {
        other.kept = kept;
    }
}

final class Main {
    static Holder holder;

    static void work() {
        holder = new Holder();
        holder.give(new Holder());
        holder.count();
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
