// Write Later, Reach Superclass, Begin Superclass, Threads Task, Lock NoLock, Owner Unkept
// alone: Reach Superclass, Begin Superclass, Threads Task
package superclass;

class X extends Thread {
    int hits;

    @Override
    public void run() {
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
