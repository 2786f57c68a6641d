package sor;

/** A barrier on wait and notify. Its own fields are guarded; what it orders is invisible to a lock set. */
final class Barrier {
    private final int parties;
    private int arrived;
    private int generation;

    Barrier(int parties) {
        this.parties = parties;
    }

    synchronized void await() {
        int mine = generation;
        arrived++;
        if (arrived == parties) {
            arrived = 0;
            generation++;
            notifyAll();
        }
        while (mine == generation) {
            sleep();
        }
    }

    private void sleep() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }
}
