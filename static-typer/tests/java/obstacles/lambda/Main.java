// Write Later, Reach Lambda, Begin Lambda, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Lambda, Begin Lambda, Threads Lambda
package lambda;

class X {
    int hits;
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        X x = new X();
        Runnable later = () -> hit(x);
        later.run();
        hit(x);
    }
}
