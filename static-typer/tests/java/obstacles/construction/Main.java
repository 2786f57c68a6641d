// Write Construction, Reach Static, Begin Static, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads Lambda
package construction;

class X {
    static X last;
    int hits;

    X() {
        last = this;
        hits = 1;
    }
}

final class Main {
    static void work() {
        new X();
        System.out.println(X.last.hits);
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
