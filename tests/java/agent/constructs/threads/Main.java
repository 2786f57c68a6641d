package threads;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import schedule.Program;

/** What was written before the start is known to the child. */
final class Started implements Program {
    int input;

    public void run() throws Exception {
        input = 1;
        Thread child = start(() -> input++);
        child.join();
    }
}

final class WrittenAfterStart implements Program {
    int input; // race: WrittenAfterStart.input

    public void run() throws Exception {
        Thread child = start(() -> {
            until(this);
            input++;
        });
        input = 1;
        mark(this);
        child.join();
    }
}

final class Joined implements Program {
    int result;

    public void run() throws Exception {
        Thread child = start(() -> result = 1);
        child.join();
        result++;
    }
}

final class NotJoined implements Program {
    int result; // race: NotJoined.result

    public void run() throws Exception {
        Thread child = start(() -> {
            result = 1;
            mark(this);
        });
        until(this);
        result++;
        child.join();
    }
}

final class JoinedInTime implements Program {
    int result;

    public void run() throws Exception {
        Thread child = start(() -> result = 1);
        child.join(60_000);
        result++;
    }
}

/** Gives up waiting while the child still runs. */
final class JoinedTooShort implements Program {
    int result; // race: JoinedTooShort.result

    public void run() throws Exception {
        Thread child = start(() -> {
            result = 1;
            mark(this);
            until(this, 2);
        });
        until(this);
        child.join(5);
        result++;
        mark(this, 2);
        child.join();
    }
}

final class AliveLoop implements Program {
    int result;

    public void run() throws Exception {
        Thread child = start(() -> result = 1);
        while (child.isAlive()) {
            Thread.sleep(1);
        }
        result++;
    }
}

/** Asks, and does not care. */
final class StillAlive implements Program {
    int result; // race: StillAlive.result

    public void run() throws Exception {
        Thread child = start(() -> {
            result = 1;
            mark(this);
            until(this, 2);
        });
        until(this);
        if (child.isAlive()) {
            result++;
        }
        mark(this, 2);
        child.join();
    }
}

final class StateLoop implements Program {
    int result;

    public void run() throws Exception {
        Thread child = start(() -> result = 1);
        while (child.getState() != Thread.State.TERMINATED) {
            Thread.sleep(1);
        }
        result++;
    }
}

/** Who blocks has written before, but nothing says that others see it. */
final class BlockedState implements Program {
    int result; // race: BlockedState.result

    public void run() throws Exception {
        Thread child = start(() -> {
            result = 1;
            Thread.sleep(300);
        });
        while (child.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        result++;
        child.join();
    }
}

final class Subclass implements Program {
    static final class Summing extends Thread {
        final int[] values;
        long sum;

        Summing(int[] values) {
            this.values = values;
        }

        @Override
        public void run() {
            for (int value : values) {
                sum += value;
            }
        }
    }

    public void run() throws Exception {
        int[] values = {1, 2, 3};
        Summing[] threads = {new Summing(values), new Summing(values)};
        long sum = 0;
        for (Summing thread : threads) {
            thread.start();
        }
        for (Summing thread : threads) {
            thread.join();
            sum += thread.sum;
        }
        if (sum != 12) {
            System.out.println(sum);
        }
    }
}

/** The parent looks at the progress of a child that still runs. */
final class Progress implements Program {
    static final class Copying extends Thread {
        int copied; // race: Copying.copied

        @Override
        public void run() {
            copied = 10;
            mark(this);
            until(this, 2);
            copied = 20;
        }
    }

    public void run() throws Exception {
        Copying copying = new Copying();
        copying.start();
        until(copying);
        if (copying.copied > 100) {
            System.out.println("too many");
        }
        mark(copying, 2);
        copying.join();
    }
}

/** Child, grandchild. */
final class Generations implements Program {
    int value;

    public void run() throws Exception {
        value = 1;
        Thread child = start(() -> {
            value++;
            Thread grandchild = start(() -> value++);
            grandchild.join();
            value++;
        });
        child.join();
        value++;
    }
}

final class Siblings implements Program {
    int count; // race: Siblings.count

    public void run() throws Exception {
        together(() -> {
            count++;
            mark(this);
        }, () -> {
            until(this);
            count++;
        });
    }
}

/** The second is started by the first, the third by nobody who knows of the second. */
final class Uncle implements Program {
    int count; // race: Uncle.count

    public void run() throws Exception {
        Thread[] nephew = new Thread[1];
        Thread child = start(() -> nephew[0] = start(() -> {
            count++;
            mark(this);
        }));
        child.join();
        until(this);
        Thread other = start(() -> count++);
        other.join();
        nephew[0].join();
    }
}

/** The handler runs in the thread that dies. */
final class UncaughtHandler implements Program {
    String message;

    public void run() throws Exception {
        Thread child = new Thread(() -> {
            throw new IllegalStateException("expected");
        });
        child.setUncaughtExceptionHandler((thread, failure) -> message = failure.getMessage());
        child.start();
        child.join();
        if (!"expected".equals(message)) {
            System.out.println(message);
        }
    }
}

/** One handler for all threads counts what goes wrong. */
final class CommonHandler implements Program {
    int failures; // race: CommonHandler.failures

    public void run() throws Exception {
        Thread.UncaughtExceptionHandler handler = (thread, failure) -> {
            failures++;
            mark(this, "first".equals(thread.getName()) ? 1 : 2);
        };
        Thread first = new Thread(() -> {
            throw new IllegalStateException();
        }, "first");
        Thread second = new Thread(() -> {
            until(this);
            throw new IllegalStateException();
        }, "second");
        first.setUncaughtExceptionHandler(handler);
        second.setUncaughtExceptionHandler(handler);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}

final class InterruptedPolled implements Program {
    int command;

    public void run() throws Exception {
        Thread worker = start(() -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            command++;
        });
        command = 1;
        worker.interrupt();
        worker.join();
    }
}

final class InterruptedAsked implements Program {
    int command;

    public void run() throws Exception {
        Thread worker = start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            command++;
        });
        command = 1;
        worker.interrupt();
        worker.join();
    }
}

final class InterruptedSleep implements Program {
    int command;

    public void run() throws Exception {
        Thread worker = start(() -> {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException stop) {
                command++;
            }
        });
        command = 1;
        worker.interrupt();
        worker.join();
    }
}

final class InterruptedWait implements Program {
    int command;
    final Object lock = new Object();

    public void run() throws Exception {
        Thread worker = start(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException stop) {
                    // Goes on.
                }
            }
            command++;
        });
        command = 1;
        worker.interrupt();
        worker.join();
    }
}

final class WrittenAfterInterrupt implements Program {
    int command; // race: WrittenAfterInterrupt.command

    public void run() throws Exception {
        Thread worker = start(() -> {
            while (!Thread.interrupted()) {
                Thread.onSpinWait();
            }
            until(this);
            command++;
        });
        worker.interrupt();
        command = 1;
        mark(this);
        worker.join();
    }
}

final class Factory implements Program {
    final List<Thread> made = new ArrayList<>();
    int sum;

    public void run() throws Exception {
        ThreadFactory factory = task -> {
            Thread thread = new Thread(task, "worker-" + made.size());
            thread.setDaemon(true);
            made.add(thread);
            return thread;
        };
        for (int i = 0; i < 3; i++) {
            Thread thread = factory.newThread(() -> sum++);
            thread.start();
            thread.join();
        }
        if (made.size() != 3 || sum != 3) {
            System.out.println(made);
        }
    }
}

/** Two wait for a third. */
final class JoinedByTwo implements Program {
    int result;

    public void run() throws Exception {
        Thread child = start(() -> result = 1);
        int[] seen = new int[2];
        together(() -> {
            child.join();
            seen[0] = result;
        }, () -> {
            child.join();
            seen[1] = result;
        });
    }
}

/** Waits for another thread than the one that writes. */
final class JoinedOther implements Program {
    int result; // race: JoinedOther.result

    public void run() throws Exception {
        Thread child = start(() -> {
            result = 1;
            mark(this);
        });
        Thread other = start(() -> until(this));
        other.join();
        result++;
        child.join();
    }
}

/** What an InheritableThreadLocal hands to a child was made before the start. */
final class Inherited implements Program {
    static final InheritableThreadLocal<int[]> LOCAL = new InheritableThreadLocal<>();

    public void run() throws Exception {
        int[] box = {1};
        LOCAL.set(box);
        Thread child = start(() -> LOCAL.get()[0]++);
        child.join();
        box[0]++;
        LOCAL.remove();
    }
}

/** Both have the same object. */
final class InheritedShared implements Program {
    static final class Session {
        int hits; // race: Session.hits
    }

    static final InheritableThreadLocal<Session> LOCAL = new InheritableThreadLocal<>();

    public void run() throws Exception {
        Session session = new Session();
        LOCAL.set(session);
        Thread child = start(() -> {
            LOCAL.get().hits++;
            mark(this);
        });
        until(this);
        session.hits++;
        child.join();
        LOCAL.remove();
    }
}

/** Workers each fill a part of an array; the parent adds up when all are done. */
final class Parts implements Program {
    final int[] parts = new int[4];

    public void run() throws Exception {
        Thread[] workers = new Thread[parts.length];
        for (int i = 0; i < workers.length; i++) {
            int part = i;
            workers[i] = start(() -> {
                for (int n = 0; n < 1000; n++) {
                    parts[part] += n;
                }
            });
        }
        int sum = 0;
        for (int i = 0; i < workers.length; i++) {
            workers[i].join();
            sum += parts[i];
        }
        if (sum != 4 * 499_500) {
            System.out.println(sum);
        }
    }
}

/** Two workers overlap by one element. */
final class OverlappingParts implements Program {
    final int[] parts = new int[9]; // missed: OverlappingParts.parts[] -- an array has one state until it races: which elements were accessed before is not known

    void add(int from, int to) {
        for (int round = 0; round < 3; round++) {
            for (int i = from; i < to; i++) {
                parts[i]++;
            }
        }
    }

    public void run() throws Exception {
        together(() -> {
            add(0, 5);
            mark(this);
        }, () -> {
            until(this);
            add(4, 9);
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Started(), new WrittenAfterStart(), new Joined(), new NotJoined(), new JoinedInTime(), new JoinedTooShort(),
                new AliveLoop(), new StillAlive(), new StateLoop(), new BlockedState(), new Subclass(), new Progress(), new Generations(),
                new Siblings(), new Uncle(), new UncaughtHandler(), new CommonHandler(), new InterruptedPolled(), new InterruptedAsked(),
                new InterruptedSleep(), new InterruptedWait(), new WrittenAfterInterrupt(), new Factory(), new JoinedByTwo(),
                new JoinedOther(), new Inherited(), new InheritedShared(), new Parts(), new OverlappingParts());
    }
}
