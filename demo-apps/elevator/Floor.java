package elevator;

/** One floor with its call button. Each method is atomic by itself; the floor's own lock guards both fields. */
final class Floor {
    private boolean called;
    private int lastLift;

    synchronized void press() {
        called = true;
    }

    synchronized boolean isCalled() {
        return called;
    }

    /** Switches the call off for the given lift; false if there was none any more. */
    synchronized boolean answer(int lift) {
        boolean wasCalled = called;
        called = false;
        lastLift = lift;
        return wasCalled;
    }

    synchronized int lastLift() {
        return lastLift;
    }
}
