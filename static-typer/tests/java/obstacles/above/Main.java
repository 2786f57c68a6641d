// Write Later, Reach Above, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Above, Threads Lambda
package above;

class Above {}

class X extends Above {
    int hits;
}

final class Main {
    static Above last;

    static void keep(Above above) {
        last = above;
    }

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        X x = new X();
        keep(x);
        hit(x);
    }
}
