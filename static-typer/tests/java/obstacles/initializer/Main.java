// Write Later, Reach Static, Begin Static, Threads Initializer, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads Initializer
package initializer;

class X {
    int hits;
}

class Early {
    static final X FIRST = new X();

    static {
        touch(FIRST);
    }

    static void touch(X x) {
        x.hits++;
    }
}

final class Main {
    public static void main(String[] given) throws Exception {
        new Thread(Thread::yield).start();
        System.out.println(Early.FIRST.hits);
    }
}
