// Write Later, Reach Kept, Begin Static, Threads Lambda, Lock NoLock, Owner Unheld
// alone: Reach Kept, Begin Static, Threads Lambda
package kept;

class X {
    int hits;
}

class Holder {
    final X kept = new X();
}

final class Main {
    static Holder holder;

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        holder = new Holder();
        hit(holder.kept);
    }
}
