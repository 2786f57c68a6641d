// Write Later, Reach Static, Begin Static, Threads CalledBack, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads CalledBack
package calledback;

class X implements CharSequence {
    int hits;

    @Override
    public int length() {
        return hits++;
    }

    @Override
    public char charAt(int at) {
        return 0;
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return null;
    }
}

final class Main {
    static X last;

    public static void main(String[] given) throws Exception {
        new Thread(Thread::yield).start();
        last = new X();
        last.hits = 1;
    }
}
