/**
 * Calls `wait` and `notify` through other classes than `Object`, as javac never does: the test writes those names in place of
 * `wxit` and `notifx` into this class (not into its superclass and interface), and `[[I` and `Waiting` in place of `Arr` and
 * `Waitimg`.
 */
class Waits extends Waiter {
    // hooks: enterMethod waitOn exitMethod
    public synchronized void ownClass() { wxit(1); }
    // hooks: enterMethod notifyOne exitMethod
    public synchronized void ownClassNotifies() { notifx(); }
    // hooks: enterMethod waitOn exitMethod
    public synchronized void superclass() { super.wxit(1); }
    // hooks: enter waitOn exit
    public void otherClass() { Waiter w = new Waiter(); synchronized (w) { w.wxit(1); } }
    // hooks: enter waitOn exit
    public void anInterface() { Waiting w = this; synchronized (w) { w.wxit(1); } }
    // hooks: enter waitOn exit
    public void array() { Object o = new int[1][1]; synchronized (o) { ((Arr) o).wxit(1); } }
    // hooks: -
    public void privateMethod() { new Private().run(); }
    // hooks: -
    public void missingClass() { try { ((Gone) null).wxit(1); throw new Error(); } catch (NoClassDefFoundError e) { } }
    // hooks: -
    public void missingInterface() { try { ((Lost) null).wxit(1); throw new Error(); } catch (NoClassDefFoundError e) { } }
    // Unwoven an IncompatibleClassChangeError: what is woven looks up the class, but does not ask whether it is one.
    // hooks: waitOn
    public void FN_interfaceAsClass() { try { ((Waitimg) null).wxit(1); throw new Error(); } catch (NullPointerException e) { } }
    // hooks: waitOn
    public void nobody() { try { ((Waiter) null).wxit(1); throw new Error(); } catch (NullPointerException e) { } }
}

/** Like {@link Waits}. A private method overrides no final one. */
class Private {
    private void wxit(long n) { }
    private void notifx() { }
    void run() { wxit(1); notifx(); }
}

interface Waiting { void wxit(long millis); }
class Waiter implements Waiting { public void wxit(long millis) { } void notifx() { } }
class Arr extends Waiter { }
class Waitimg extends Waiter { }
/** The test deletes both. */
class Gone extends Waiter { }
interface Lost extends Waiting { void wxit(long millis); }
