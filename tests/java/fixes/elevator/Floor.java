package elevator;

/** The demo's floor, repaired: to ask and to answer is one method. */
final class Floor {
    private boolean called;
    private int lastLift;

    synchronized void press() {
        called = true;
    }

    synchronized boolean isCalled() {
        return called;
    }

    /** Switches the call off for the given lift, if there is one. */
    synchronized boolean answer(int lift) {
        if (!called) {
            return false;
        }
        called = false;
        lastLift = lift;
        return true;
    }

    synchronized int lastLift() {
        return lastLift;
    }
}
