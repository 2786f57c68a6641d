// Write Later, Reach Kept, Begin Static, Threads Lambda, Lock NoLock, Owner Unheld
// alone: Reach Kept, Begin Static, Threads Lambda
package unheld;

class X {
    int hits;
}

class Holder {
    private X kept = new X();

    void count() {
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
