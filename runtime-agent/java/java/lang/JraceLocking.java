package java.lang;

import static java.lang.JraceMode.COUNTING;
import static java.lang.JraceMode.HANDING;
import static java.lang.JraceMode.LEAVING_OUT;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.RECORDING;
import static java.lang.JraceMode.TELLING;

import java.lang.JraceLayout.LockMode;
import java.lang.JraceLayout.Operation;
import java.util.concurrent.Semaphore;
import jdk.internal.vm.annotation.Hidden;

/** The doors of locks: monitors, those of the library, permits, and the conditions on which threads wait. */
class JraceLocking extends JraceHandOver {
    // ---- monitors --------------------------------------------------------------------------------------------------

    public static void enter(Object lock, int site) {
        if (lock != null) {
            JraceLocks.acquire(lock, site, 0);
        }
    }

    public static void enterAtomic(Object lock, int site) {
        if (lock != null) {
            JraceLocks.acquire(lock, site, JraceContext.ATOMIC);
        }
    }

    public static void exit(Object lock) {
        JraceLocks.release(lock, 0);
    }

    public static void enterMethod(Object lock, int site) {
        JraceLocks.acquire(lock, site, JraceContext.METHOD);
    }

    public static void enterStatic(int site) {
        if (COUNTING && JraceSpans.entersLeftOut(Thread.currentThread(), site)) {
            return;
        }
        Class<?> caller = JraceAgent.caller(site);
        if (caller != null) {
            JraceLocks.acquire(caller, site, JraceContext.METHOD);
        }
    }

    public static void exitMethod() {
        JraceLocks.exitMethod();
    }

    // ---- locks of the library --------------------------------------------------------------------------------------

    /** The lock is taken already, so a stack overflow here must not reach the program, which would not release it. */
    public static void acquired(Object lock, int mode) {
        try {
            if (!JraceLocks.acquired(lock, mode)) {
                observe(lock);
            }
        } catch (StackOverflowError giveUp) {
            // The lock goes unnoticed.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void acquiredIf(boolean success, Object lock, int mode) {
        if (success) {
            acquired(lock, mode);
        }
    }

    public static void acquiredStamp(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            validated(lock);
            acquired(lock, mode);
        }
    }

    /** Also where a writer has the lock, and the stamp is 0: that is as if one came right afterwards. */
    public static void hoped(long stamp, Object lock) {
        try {
            JraceLocks.hoped(lock);
        } catch (StackOverflowError giveUp) {
            // The lock goes unnoticed.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void hoping(int method) {
        JraceLocks.hoping(method);
    }

    public static void hopesEnd(int method) {
        try {
            JraceLocks.hopesEnd(method);
        } catch (StackOverflowError giveUp) {
            // The thread seems to go on reading.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void validated(Object lock) {
        try {
            JraceLocks.validated(lock);
        } catch (StackOverflowError giveUp) {
            // The thread seems to go on reading.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void converted(long stamp, Object lock, int mode) {
        if (stamp != 0) {
            JraceLocks.drop(lock);
            if (mode != LockMode.NONE) {
                acquired(lock, mode);
            }
        }
    }

    public static void releasing(Object lock, int mode) {
        try {
            if (!JraceLocks.releasing(lock, mode)) {
                publish(lock);
            }
        } catch (StackOverflowError giveUp) {
            // The lock must be released all the same.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    public static void readState(Object synchronizer) {
        if (isOfProgram(synchronizer)) {
            observe(synchronizer);
        }
    }

    public static void writeState(Object synchronizer) {
        if (isOfProgram(synchronizer)) {
            publish(synchronizer);
        }
    }

    private static boolean isOfProgram(Object synchronizer) {
        return HANDING && synchronizer.getClass().getClassLoader() != null;
    }

    // ---- permits ---------------------------------------------------------------------------------------------------

    public static void hasPermits(Object semaphore) {
        if (HANDING) {
            try {
                JraceShadow.of(semaphore).isMadeWith(((Semaphore) semaphore).availablePermits());
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // They are counted when one is taken.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void tookPermits(int n, Object semaphore) {
        if (HANDING) {
            try {
                observe(semaphore);
                JraceLocks.tookPermits((Semaphore) semaphore, n);
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // The permits go unnoticed.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    public static void tookPermitsIf(boolean success, int n, Object semaphore) {
        if (success) {
            tookPermits(n, semaphore);
        }
    }

    /** Who holds permits gives them back, as a lock; who holds none tells others to go on. */
    public static void handingPermits(Object semaphore) {
        if (HANDING) {
            try {
                if (!JraceLocks.drop(semaphore)) {
                    JraceShadow.of(semaphore).isSignalled();
                    publish(semaphore);
                }
            } catch (OutOfMemoryError | StackOverflowError giveUp) {
                // Who takes one seems to be unordered.
            } catch (RuntimeException fault) {
                JraceFault.tell(fault);
            }
        }
    }

    // ---- conditions ------------------------------------------------------------------------------------------------

    public static void awaiting(Object condition) {
        if (HANDING) {
            waits(Thread.currentThread(), JraceLocks.lockOf(condition), Operation.WAIT_BEGIN);
        }
    }

    public static void awaited(Object condition) {
        if (HANDING) {
            waits(Thread.currentThread(), JraceLocks.lockOf(condition), Operation.WAIT_END);
            observe(condition);
        }
    }

    private static void waits(Thread thread, Object lock, int operation) {
        try {
            if (ORDERING) {
                JraceLocks.waits(thread, lock, operation);
            }
            if (TELLING) {
                JraceRecorder.event(operation, thread, 0, JraceShadow.of(lock).id);
            }
        } catch (OutOfMemoryError | StackOverflowError giveUp) {
            // Who is woken seems to be unordered.
        } catch (RuntimeException fault) {
            JraceFault.tell(fault);
        }
    }

    @Hidden
    public static void waitOn(Object lock) throws InterruptedException {
        waitOn(lock, 0L);
    }

    @Hidden
    public static void waitOn(Object lock, long millis) throws InterruptedException {
        waiting(Operation.WAIT_BEGIN, lock);
        try {
            lock.wait(millis);
        } finally {
            waiting(Operation.WAIT_END, lock);
        }
    }

    @Hidden
    public static void waitOn(Object lock, long millis, int nanos) throws InterruptedException {
        waiting(Operation.WAIT_BEGIN, lock);
        try {
            lock.wait(millis, nanos);
        } finally {
            waiting(Operation.WAIT_END, lock);
        }
    }

    public static void notifyOne(Object lock) {
        waiting(Operation.NOTIFY, lock);
    }

    public static void notifyEvery(Object lock) {
        waiting(Operation.NOTIFY_ALL, lock);
    }

    private static void waiting(int operation, Object lock) {
        Thread thread = Thread.currentThread();
        if (ORDERING && lock != null && Thread.holdsLock(lock)) {
            JraceLocks.waits(thread, lock, operation);
        }
        if (RECORDING && lock != null && !(LEAVING_OUT && JraceSpans.isLeftOut(thread))) {
            JraceRecorder.tell(operation, thread, lock);
        }
    }

    public static void mayWait(Object lock) {
        observe(held(lock));
    }

    public static void mayTell(Object lock) {
        publish(held(lock));
    }

    /** What stands for a lock that has conditions, or for the monitor of another object; null if that is not held. */
    private static Object held(Object lock) {
        if (!HANDING || lock == null) {
            return null;
        }
        Object meant = JraceLocks.withConditions(lock);
        return meant != lock || Thread.holdsLock(lock) ? meant : null;
    }

    public static void signalling(Object condition) {
        if (HANDING) {
            publish(condition);
            publish(JraceLocks.lockOf(condition));
        }
    }
}
