package seeds;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Values that a volatile flag publishes, and what goes wrong with that. */
public class Published {
    private static final Object DONE = new Object();
    private static volatile int step;

    static class Right {
        private volatile boolean isRight;
        private int rightValue;
        private volatile Object state = step;
        private int rightByConstant;

        int get() {
            if (!isRight) {
                synchronized (this) {
                    if (!isRight) {
                        rightValue = step;
                        isRight = true;
                    }
                }
            }
            return rightValue;
        }

        int byConstant() {
            if (state != DONE) {
                synchronized (this) {
                    if (state != DONE) {
                        rightByConstant = step;
                        state = DONE;
                        return rightByConstant;
                    }
                }
            }
            return rightByConstant;
        }
    }

    /** As Guava's suppliers are. */
    static class Memoizing implements Supplier<Object> {
        private final Supplier<Object> delegate;
        private volatile boolean isComputed;
        private Object computed;

        Memoizing(Supplier<Object> delegate) {
            this.delegate = delegate;
        }

        @Override
        public Object get() {
            if (!isComputed) {
                synchronized (this) {
                    if (!isComputed) {
                        Object made = delegate.get();
                        computed = made;
                        isComputed = true;
                        return made;
                    }
                }
            }
            return computed;
        }
    }

    static class Recursive {
        private volatile boolean isRecursive;
        private int recursiveValue; // race

        int get(int depth) {
            if (!isRecursive) {
                synchronized (this) {
                    if (!isRecursive) {
                        recursiveValue = depth == 0 ? 1 : get(depth - 1);
                        isRecursive = true;
                    }
                }
            }
            return recursiveValue;
        }
    }

    static class Waiting {
        private volatile boolean isAwake;
        private int wokenValue; // race

        int get() throws InterruptedException {
            if (!isAwake) {
                synchronized (this) {
                    if (!isAwake) {
                        wait(1);
                        wokenValue++;
                        isAwake = true;
                    }
                }
            }
            return wokenValue;
        }
    }

    static class Wrong {
        private volatile boolean isLate;
        private int setTooEarly; // race
        private volatile boolean isReset;
        private int isSetBack; // race
        private boolean isPlain; // race
        private int byPlain; // race
        private volatile boolean isUnread;
        private int readWithout; // race
        private volatile boolean isUnlocked;
        private int setWithoutLock; // race
        private volatile boolean isUnchecked;
        private int writtenAgain; // race
        private volatile boolean isOutside;
        private int checkedOutside; // race
        private volatile boolean isOther;
        private int ofOtherObject; // race
        private volatile boolean isLooked;
        private int otherLock; // race
        private final Object lock = new Object();
        private volatile boolean isSeen;
        private int writtenLater; // race
        private final ReentrantLock explicit = new ReentrantLock();
        private volatile boolean isHelped;
        private int helped; // race
        private volatile boolean isWellHelped;
        private int wellHelped;
        private volatile boolean isSetElsewhere;
        private int beforeElsewhere; // race

        int tooEarly() {
            if (!isLate) {
                synchronized (this) {
                    if (!isLate) {
                        isLate = true;
                        setTooEarly = step;
                    }
                }
            }
            return setTooEarly;
        }

        int setBack() {
            if (!isReset) {
                synchronized (this) {
                    if (!isReset) {
                        isSetBack = step;
                        isReset = true;
                    }
                }
            }
            return isSetBack;
        }

        synchronized void reset() {
            isReset = false;
        }

        int lookedBefore() {
            boolean seen;
            synchronized (this) {
                seen = isSeen;
            }
            if (!seen) {
                synchronized (this) {
                    writtenLater = step;
                    isSeen = true;
                }
            }
            return isSeen ? writtenLater : 0;
        }

        private void acquire() {
            explicit.lock();
        }

        private void release() {
            explicit.unlock();
        }

        int byHelper() {
            if (!isHelped) {
                acquire();
                helped = step;
                isHelped = true;
                release();
            }
            return isHelped ? helped : 0;
        }

        int byHelperRightly() {
            if (!isWellHelped) {
                acquire();
                if (!isWellHelped) {
                    wellHelped = step;
                    isWellHelped = true;
                }
                release();
            }
            return wellHelped;
        }

        int bySetter() {
            if (!isSetElsewhere) {
                synchronized (this) {
                    if (!isSetElsewhere) {
                        beforeElsewhere = step;
                        isSetElsewhere = true;
                    }
                }
            }
            return beforeElsewhere;
        }

        void setElsewhere() {
            isSetElsewhere = true;
        }

        int plain() {
            if (!isPlain) {
                synchronized (this) {
                    if (!isPlain) {
                        byPlain = step;
                        isPlain = true;
                    }
                }
            }
            return byPlain;
        }

        int unread() {
            if (!isUnread) {
                synchronized (this) {
                    if (!isUnread) {
                        readWithout = step;
                        isUnread = true;
                    }
                }
            }
            return readWithout;
        }

        int peek() {
            return readWithout;
        }

        int unlocked() {
            if (!isUnlocked) {
                setWithoutLock = step;
                isUnlocked = true;
            }
            return setWithoutLock;
        }

        int unchecked() {
            synchronized (this) {
                writtenAgain = step;
                isUnchecked = true;
            }
            return isUnchecked ? writtenAgain : 0;
        }

        int outside() {
            if (!isOutside) {
                synchronized (this) {
                    checkedOutside = step;
                    isOutside = true;
                }
            }
            return isOutside ? checkedOutside : 0;
        }

        void other(Wrong of) {
            if (!of.isOther) {
                synchronized (of) {
                    if (!of.isOther) {
                        of.ofOtherObject = step;
                        of.isOther = true;
                    }
                }
            }
        }

        int ofOther(Wrong of) {
            return isOther ? of.ofOtherObject : 0;
        }

        int twoLocks() {
            if (!isLooked) {
                synchronized (step == 1 ? this : lock) {
                    if (!isLooked) {
                        otherLock = step;
                        isLooked = true;
                    }
                }
            }
            return isLooked ? otherLock : 0;
        }
    }

    /** What initializes a class may come back, and set the flag first. */
    static class Begun {
        static Begun only;
        private volatile boolean isBegun;
        private int setTwice; // race
        private volatile boolean isCalled;
        private int calledTwice; // race
        private volatile boolean isMade;
        private Object madeTwice; // race

        static class OnRead {
            static int read;

            static {
                read = only.byRead();
            }
        }

        static class OnCall {
            static {
                only.byCall();
            }

            static int call() {
                return step;
            }
        }

        static class OnNew {
            static {
                only.byNew();
            }
        }

        int byRead() {
            if (!isBegun) {
                synchronized (this) {
                    if (!isBegun) {
                        setTwice = OnRead.read;
                        isBegun = true;
                    }
                }
            }
            return setTwice;
        }

        int byCall() {
            if (!isCalled) {
                synchronized (this) {
                    if (!isCalled) {
                        calledTwice = OnCall.call();
                        isCalled = true;
                    }
                }
            }
            return calledTwice;
        }

        Object byNew() {
            if (!isMade) {
                synchronized (this) {
                    if (!isMade) {
                        madeTwice = new OnNew();
                        isMade = true;
                    }
                }
            }
            return madeTwice;
        }
    }

    /** The name of the flag is no constant. */
    static class Updated {
        private static final AtomicIntegerFieldUpdater<Updated> UPDATER =
                AtomicIntegerFieldUpdater.newUpdater(Updated.class, "is".concat("Updated"));
        private volatile int isUpdated;
        private int setAgain; // race

        int get() {
            if (isUpdated == 0) {
                synchronized (this) {
                    if (isUpdated == 0) {
                        setAgain = step;
                        isUpdated = 1;
                    }
                }
            }
            return setAgain;
        }

        void reset() {
            UPDATER.set(this, 0);
        }
    }

    public static void main(String[] args) {
        Right right = new Right();
        Memoizing memoizing = new Memoizing(() -> "made");
        Recursive recursive = new Recursive();
        Waiting waiting = new Waiting();
        Wrong wrong = new Wrong();
        Wrong second = new Wrong();
        Begun begun = new Begun();
        Begun.only = begun;
        Updated updated = new Updated();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                right.get();
                right.byConstant();
                memoizing.get();
                recursive.get(2);
                try {
                    waiting.get();
                } catch (InterruptedException e) {
                    return;
                }
                wrong.tooEarly();
                wrong.setBack();
                wrong.reset();
                wrong.lookedBefore();
                wrong.byHelper();
                wrong.byHelperRightly();
                wrong.bySetter();
                wrong.setElsewhere();
                wrong.plain();
                wrong.unread();
                wrong.peek();
                wrong.unlocked();
                wrong.unchecked();
                wrong.outside();
                wrong.other(second);
                second.other(wrong);
                wrong.ofOther(second);
                wrong.twoLocks();
                begun.byRead();
                begun.byCall();
                begun.byNew();
                updated.get();
                updated.reset();
            }).start();
        }
    }
}
