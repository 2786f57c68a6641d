// Write Later, Reach Element, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Element, Begin Static, Threads Lambda
package element;

class X {
    int hits;
}

final class Main {
    static X[] all;

    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        all = new X[] {new X()};
        hit(all[0]);
    }
}
