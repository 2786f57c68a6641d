// Write Later, Reach Static, Begin Static, Threads Asked, Lock NoLock, Owner Unkept
// alone: Reach Static, Begin Static, Threads Asked
package asked;

class X {
    int hits;

    @Override
    public String toString() {
        return "hit " + hits++;
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
