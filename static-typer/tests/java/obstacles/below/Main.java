// Write Later, Reach Below, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Begin Static, Threads Lambda
package below;

class X {
    int hits;
}

class Below extends X {}

final class Main {
    static Below last;

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        last = new Below();
        hit(last);
        hit(new X());
    }
}
