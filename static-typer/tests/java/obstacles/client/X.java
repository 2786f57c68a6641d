// Write Later, Reach Client, Begin Client, Threads Client, Lock NoLock, Owner Unkept
// alone: Reach Client, Begin Client
package client;

public class X {
    int hits;

    public void hit() {
        hits++;
    }
}

final class Main {
    static void hit() {
        new X().hit();
    }
}
