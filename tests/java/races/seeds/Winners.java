package seeds;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/** Code that only one thread comes to, because it has set a flag that was not set. */
public class Winners implements Runnable {
    private static final AtomicBoolean SHARED = new AtomicBoolean();
    private static int onShared;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isBack = new AtomicBoolean();
    private final AtomicBoolean isGiven = new AtomicBoolean();
    private final AtomicBoolean isGot;
    private AtomicBoolean isReplaced = new AtomicBoolean(); // race
    private int wonByOne;
    private int wonByGetting;
    private int inCallee;
    private int afterReturn;
    private int lostToo; // race
    private int setBackLater; // race
    private int givenAway; // race
    private int ofShared; // race
    private int ofReplaced; // race
    private int readOutside; // race
    private int ofAnother; // race
    private int inThread; // race

    private Winners(AtomicBoolean shared) {
        isGot = shared;
    }

    private void close() {
        inCallee++;
    }

    private void once() {
        if (!isClosed.compareAndSet(false, true)) {
            lostToo++;
            return;
        }
        afterReturn++;
        lostToo++;
        close();
        new Thread(() -> inThread++).start();
        inThread++;
    }

    private void back() {
        if (isBack.compareAndSet(false, true)) {
            setBackLater++;
            isBack.set(false);
        }
    }

    private static void reset(AtomicBoolean given) {
        given.set(false);
    }

    private void given() {
        if (isGiven.compareAndSet(false, true)) {
            givenAway++;
            reset(isGiven);
        }
    }

    @Override
    public void run() {
        once();
        back();
        given();
        if (isReplaced.compareAndSet(false, true)) {
            ofReplaced++;
            isReplaced = new AtomicBoolean();
        }
        if (SHARED.compareAndSet(false, true)) {
            onShared++;
        }
        if (isGot.compareAndSet(false, true)) {
            ofShared++;
        }
        int seen = readOutside;
        if (SHARED.get()) {
            readOutside = seen;
        }
    }

    private final AtomicBoolean isFirst = new AtomicBoolean();
    private final AtomicBoolean isSecond = new AtomicBoolean();

    private void wins(Winners of) {
        if (isFirst.compareAndSet(false, true)) {
            wonByOne++;
            of.ofAnother++;
        }
        if (isSecond.getAndSet(true)) {
            return;
        }
        wonByGetting++;
    }

    /** Whoever gets the flag of a class by a handle sets it back. */
    static class Given {
        private static final AtomicBoolean BY_FIELD = new AtomicBoolean();
        private static final AtomicBoolean BY_HANDLE = new AtomicBoolean();
        private static int givenByField; // race
        private static int givenByHandle; // race

        static void byField() throws ReflectiveOperationException {
            if (BY_FIELD.compareAndSet(false, true)) {
                givenByField++;
            }
            ((AtomicBoolean) Given.class.getDeclaredField("BY_FIELD").get(null)).set(false);
        }

        static void byHandle() throws ReflectiveOperationException {
            if (BY_HANDLE.compareAndSet(false, true)) {
                givenByHandle++;
            }
            VarHandle handle = MethodHandles.lookup().findStaticVarHandle(Given.class, "BY_HANDLE", AtomicBoolean.class);
            ((AtomicBoolean) handle.get()).set(false);
        }

        static void run() {
            try {
                byField();
                byHandle();
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) {
        AtomicBoolean shared = new AtomicBoolean();
        Winners winners = new Winners(shared);
        Winners second = new Winners(shared);
        for (int i = 0; i < 2; i++) {
            new Thread(winners).start();
            new Thread(() -> winners.wins(second)).start();
            new Thread(() -> second.wins(winners)).start();
            new Thread(() -> winners.wins(winners)).start();
            new Thread(Given::run).start();
            shared.set(false);
        }
    }
}
