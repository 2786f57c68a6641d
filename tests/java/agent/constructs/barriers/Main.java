package barriers;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import schedule.Program;

final class StartAndEndGate implements Program {
    private final CountDownLatch start = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(2);
    private int input;
    private final int[] results = new int[2];

    public void run() throws Exception {
        together(() -> {
            start.await();
            results[0] = input + 1;
            end.countDown();
        }, () -> {
            start.await();
            results[1] = input + 2;
            end.countDown();
        }, () -> {
            input = 1;
            start.countDown();
            end.await();
            input = results[0] + results[1];
        });
    }
}

final class CountedTooEarly implements Program {
    private final CountDownLatch latch = new CountDownLatch(1);
    private int result; // race: CountedTooEarly.result

    public void run() throws Exception {
        together(() -> {
            latch.countDown();
            result = 1;
            mark(this);
        }, () -> {
            latch.await();
            until(this);
            result++;
        });
    }
}

final class PolledCount implements Program {
    private final CountDownLatch latch = new CountDownLatch(1);
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            latch.countDown();
        }, () -> {
            while (latch.getCount() > 0) {
                Thread.onSpinWait();
            }
            result++;
        });
    }
}

/** Waits for the latch that counts something else. */
final class OtherLatch implements Program {
    private final CountDownLatch a = new CountDownLatch(1);
    private final CountDownLatch b = new CountDownLatch(1);
    private int result; // race: OtherLatch.result

    public void run() throws Exception {
        together(() -> {
            a.countDown();
            result = 1;
            mark(this);
            b.countDown();
        }, () -> {
            a.await();
            until(this);
            result++;
        });
    }
}

/** Steps of a simulation, each reads what the neighbour wrote in the step before. */
final class Simulation implements Program {
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final int[][] cells = new int[2][2];

    void worker(int me) throws Exception {
        for (int step = 0; step < 10; step++) {
            int[] from = cells[step & 1];
            int[] to = cells[1 - (step & 1)];
            to[me] = from[0] + from[1] + 1;
            barrier.await();
        }
    }

    public void run() throws Exception {
        together(() -> worker(0), () -> worker(1));
    }
}

/** The same in one array: who is fast overwrites what the other still reads. */
final class InPlace implements Program {
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private int left = 1; // race: InPlace.left
    private int right = 1; // race: InPlace.right

    public void run() throws Exception {
        together(() -> {
            barrier.await();
            left += right;
            mark(this);
            until(this, 2);
            barrier.await();
        }, () -> {
            barrier.await();
            until(this);
            right += left;
            mark(this, 2);
            barrier.await();
        });
    }
}

/** The barrier's action runs when all have come. */
final class BarrierAction implements Program {
    private final int[] parts = new int[2];
    private int sum;
    private final CyclicBarrier barrier = new CyclicBarrier(2, () -> sum += parts[0] + parts[1]);

    void worker(int me) throws Exception {
        for (int i = 0; i < 5; i++) {
            parts[me] = sum + i;
            barrier.await(1, TimeUnit.MINUTES);
        }
    }

    public void run() throws Exception {
        together(() -> worker(0), () -> worker(1));
    }
}

/** Goes on after half of the barrier. */
final class AfterBarrier implements Program {
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private int shared; // race: AfterBarrier.shared

    public void run() throws Exception {
        together(() -> {
            barrier.await();
            shared++;
            mark(this);
        }, () -> {
            barrier.await();
            until(this);
            shared++;
        });
    }
}

final class Phases implements Program {
    private int sum;
    private final int[] parts = new int[2];
    private final Phaser phaser = new Phaser(2) {
        @Override
        protected boolean onAdvance(int phase, int registered) {
            sum += parts[0] + parts[1];
            return phase >= 3 || registered == 0;
        }
    };

    void worker(int me) {
        while (!phaser.isTerminated()) {
            parts[me] = sum + 1;
            phaser.arriveAndAwaitAdvance();
        }
    }

    public void run() throws Exception {
        together(() -> worker(0), () -> worker(1));
    }
}

/** One arrives without waiting, the other waits for the phase. */
final class ArrivedAndAwaited implements Program {
    private final Phaser phaser = new Phaser(1);
    private int result;

    public void run() throws Exception {
        together(() -> {
            result = 1;
            phaser.arrive();
        }, () -> {
            phaser.awaitAdvance(0);
            result++;
        });
    }
}

final class ArrivedTooEarly implements Program {
    private final Phaser phaser = new Phaser(1);
    private int result; // race: ArrivedTooEarly.result

    public void run() throws Exception {
        together(() -> {
            phaser.arrive();
            result = 1;
            mark(this);
        }, () -> {
            phaser.awaitAdvance(0);
            until(this);
            result++;
        });
    }
}

/** Who arrives and leaves has given its result. */
final class Deregistered implements Program {
    private final Phaser phaser = new Phaser(1);
    private final int[] results = new int[3];

    public void run() throws Exception {
        phaser.bulkRegister(3);
        together(() -> {
            results[0] = 1;
            phaser.arriveAndDeregister();
        }, () -> {
            results[1] = 1;
            phaser.arriveAndDeregister();
        }, () -> {
            results[2] = 1;
            phaser.arriveAndDeregister();
        }, () -> {
            phaser.arriveAndAwaitAdvance();
            results[0] += results[1] + results[2];
        });
    }
}

/** Two phasers below a third. */
final class Tiered implements Program {
    private final Phaser root = new Phaser();
    private final Phaser a = new Phaser(root, 1);
    private final Phaser b = new Phaser(root, 1);
    private int x;

    public void run() throws Exception {
        together(() -> {
            x = 1;
            a.arriveAndAwaitAdvance();
        }, () -> {
            b.arriveAndAwaitAdvance();
            x++;
        });
    }
}

/** Buffers change hands. */
final class Exchanged implements Program {
    static final class Page {
        int lines;
    }

    private final Exchanger<Page> exchanger = new Exchanger<>();

    public void run() throws Exception {
        together(() -> {
            Page page = new Page();
            for (int i = 0; i < 5; i++) {
                page.lines++;
                page = exchanger.exchange(page);
            }
        }, () -> {
            Page page = new Page();
            for (int i = 0; i < 5; i++) {
                page = exchanger.exchange(page, 1, TimeUnit.MINUTES);
                page.lines = 0;
            }
        });
    }
}

/** Keeps what it gave away. */
final class ExchangedAndKept implements Program {
    static final class Sheet {
        int lines; // race: Sheet.lines
    }

    private final Exchanger<Sheet> exchanger = new Exchanger<>();

    public void run() throws Exception {
        together(() -> {
            Sheet own = new Sheet();
            exchanger.exchange(own);
            own.lines++;
            mark(this);
        }, () -> {
            Sheet other = exchanger.exchange(new Sheet());
            until(this);
            other.lines++;
        });
    }
}

/** A broken barrier orders nothing; who gives up goes on. */
final class BrokenBarrier implements Program {
    private final CyclicBarrier barrier = new CyclicBarrier(3);
    private int shared; // race: BrokenBarrier.shared

    public void run() throws Exception {
        together(() -> {
            shared = 1;
            mark(this);
            until(this, 2);
        }, () -> {
            until(this);
            try {
                barrier.await(5, TimeUnit.MILLISECONDS);
            } catch (java.util.concurrent.TimeoutException expected) {
                shared++;
            }
            mark(this, 2);
        });
    }
}

/** Each has a phaser of its own, below a common one. */
final class Tiers implements Program {
    private final Phaser root = new Phaser();
    private final Phaser left = new Phaser(root, 1);
    private final Phaser right = new Phaser(root, 1);
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            left.arrive();
        }, () -> {
            right.awaitAdvance(right.arrive());
            data++;
        });
    }
}

/** They meet, and exchange nothing. */
final class Meeting implements Program {
    private final Exchanger<Object> exchanger = new Exchanger<>();
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            exchanger.exchange(null);
        }, () -> {
            exchanger.exchange(null);
            data++;
        });
    }
}

/** Three tiers, with several parties in one, the first of which is not the one that comes last. */
final class HighTiers implements Program {
    private final Phaser root = new Phaser();
    private final Phaser middle = new Phaser(root, 1);
    private final Phaser low = new Phaser(middle, 2);
    private int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            low.arrive();
            mark(this);
        }, () -> {
            until(this);
            low.arriveAndDeregister();
        }, () -> {
            middle.arriveAndAwaitAdvance();
            data++;
        });
    }
}

/** What is done after the arrival below is not known above. */
final class BelowTooLate implements Program {
    private final Phaser root = new Phaser();
    private final Phaser left = new Phaser(root, 1);
    private final Phaser right = new Phaser(root, 1);
    private int data; // race: BelowTooLate.data

    public void run() throws Exception {
        together(() -> {
            left.arrive();
            data = 1;
            mark(this);
        }, () -> {
            right.awaitAdvance(right.arrive());
            until(this);
            data++;
        });
    }
}

/** One gives nothing, and the other one does. */
final class HalfMeeting implements Program {
    private final Exchanger<Object> exchanger = new Exchanger<>();
    private int data;
    private int given;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            exchanger.exchange(null);
            given++;
        }, () -> {
            given = 1;
            exchanger.exchange(new Object());
            data++;
        });
    }
}

/** Who waits for a phase wakes up when the other one has arrived in the next. */
final class PhaseSeenLate implements Program {
    private final Phaser phaser = new Phaser(2);
    private int shared; // race: PhaseSeenLate.shared
    private int before;

    public void run() throws Exception {
        together(() -> {
            before = 1;
            phaser.arriveAndAwaitAdvance();
            shared++;
        }, () -> {
            while (phaser.getUnarrivedParties() == 2) {
                Thread.onSpinWait();
            }
            pause();
            phaser.arrive();
            shared++;
            before++;
            phaser.arrive();
        });
    }

    /** Long enough for the other one to sleep. */
    private static void pause() throws InterruptedException {
        Thread.sleep(20);
    }
}

/** The same below a common one, where the phase is looked at. */
final class TierSeenLate implements Program {
    private final Phaser root = new Phaser();
    private final Phaser left = new Phaser(root, 1);
    private final Phaser right = new Phaser(root, 1);
    private int shared; // race: TierSeenLate.shared
    private int before;

    public void run() throws Exception {
        together(() -> {
            before = 1;
            left.arrive();
            until(this);
            left.getPhase();
            shared++;
        }, () -> {
            right.awaitAdvance(right.arrive());
            before++;
            shared++;
            right.arrive();
            mark(this);
        });
    }
}

/** Who is let go by the end of a phaser comes after who ends it, and after no other one. */
final class Terminated implements Program {
    private final Phaser phaser = new Phaser(3);
    private int ended;
    private int arrived; // race: Terminated.arrived

    public void run() throws Exception {
        together(() -> {
            arrived = 1;
            phaser.arrive();
            mark(this);
        }, () -> {
            phaser.arriveAndAwaitAdvance();
            ended++;
            arrived++;
        }, () -> {
            until(this);
            while (phaser.getUnarrivedParties() > 1) {
                Thread.onSpinWait();
            }
            ended = 1;
            phaser.forceTermination();
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new StartAndEndGate(), new CountedTooEarly(), new PolledCount(), new OtherLatch(), new Simulation(), new InPlace(),
                new BarrierAction(), new AfterBarrier(), new Phases(), new ArrivedAndAwaited(), new ArrivedTooEarly(), new Deregistered(),
                new Tiered(), new Exchanged(), new ExchangedAndKept(), new BrokenBarrier(),
                new Tiers(), new Meeting(),
                new HighTiers(), new BelowTooLate(), new HalfMeeting(),
                new PhaseSeenLate(), new TierSeenLate(), new Terminated());
    }
}
