// Write Later, Reach Static, Begin Static, Threads Uncalled, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads Uncalled
package uncalled;

class X {
    int hits;
}

final class Main {
    static X last;

    static void never() {
        last.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(Thread::yield).start();
        last = new X();
        last.hits = 1;
    }
}
