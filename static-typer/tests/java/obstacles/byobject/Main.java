// Write Later, Reach Object, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Object, Begin Static, Threads Lambda
package byobject;

class X {
    int hits;
}

final class Main {
    static Object last;

    static void keep(Object object) {
        last = object;
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
