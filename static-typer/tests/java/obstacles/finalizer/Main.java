// Write Later, Reach Finalizer, Begin Finalizer, Threads CalledBack, Lock NoLock, Owner Unkept
// alone: Reach Finalizer, Begin Finalizer, Threads CalledBack
package finalizer;

class X {
    int hits;

    @Override
    protected void finalize() {
        hits++;
    }
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        hit(new X());
    }
}
