package flags;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.concurrent.atomic.AtomicIntegerArray;
import schedule.Program;

final class Flag implements Program {
    int data;
    volatile boolean ready;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = true;
        }, () -> {
            while (!ready) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class FlagTooEarly implements Program {
    int data; // race: FlagTooEarly.data
    volatile boolean ready;

    public void run() throws Exception {
        together(() -> {
            ready = true;
            data = 1;
            mark(this);
        }, () -> {
            while (!ready) {
                Thread.onSpinWait();
            }
            until(this);
            data++;
        });
    }
}

/** Without volatile both the flag and the data race. */
final class PlainFlag implements Program {
    int data; // race: PlainFlag.data
    boolean ready; // race: PlainFlag.ready

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            while (!ready) {
                Thread.onSpinWait();
            }
            data++;
            ready = false;
        });
    }
}

/** Stops a worker, which nobody waits for. */
final class StopFlag implements Program {
    volatile boolean stopped;
    int turns;

    public void run() throws Exception {
        Thread worker = start(() -> {
            do {
                turns++;
            } while (!stopped);
        });
        stopped = true;
        worker.join();
        turns++;
    }
}

/** The worker is told to stop, and its counter read before it has. */
final class StopAndRead implements Program {
    volatile boolean stopped;
    int turns; // race: StopAndRead.turns

    public void run() throws Exception {
        Thread worker = start(() -> {
            turns++;
            mark(this);
            until(this, 2);
            while (!stopped) {
                turns++;
            }
        });
        until(this);
        stopped = true;
        turns = 0;
        mark(this, 2);
        worker.join();
    }
}

/** A handshake: each waits for the other's turn. */
final class PingPong implements Program {
    int ball;
    volatile int turn;

    void play(int me) {
        for (int i = 0; i < 50; i++) {
            while (turn != me) {
                Thread.onSpinWait();
            }
            ball++;
            turn = 1 - me;
        }
    }

    public void run() throws Exception {
        together(() -> play(0), () -> play(1));
    }
}

/** The loser of the handshake touches the ball out of turn. */
final class OutOfTurn implements Program {
    int ball; // race: OutOfTurn.ball
    volatile int turn;

    public void run() throws Exception {
        together(() -> {
            ball++;
            turn = 1;
            ball++;
            mark(this);
        }, () -> {
            while (turn != 1) {
                Thread.onSpinWait();
            }
            until(this);
            ball++;
        });
    }
}

/** Mutual exclusion by two flags and a turn. */
final class Peterson implements Program {
    volatile boolean first;
    volatile boolean second;
    volatile int turn;
    int count;

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 50; i++) {
                first = true;
                turn = 2;
                while (second && turn == 2) {
                    Thread.onSpinWait();
                }
                count++;
                first = false;
            }
        }, () -> {
            for (int i = 0; i < 50; i++) {
                second = true;
                turn = 1;
                while (first && turn == 1) {
                    Thread.onSpinWait();
                }
                count++;
                second = false;
            }
        });
    }
}

/** The array is volatile, its elements are not. */
final class VolatileArray implements Program {
    volatile int[] cells = new int[2]; // race: VolatileArray.cells[]

    public void run() throws Exception {
        together(() -> {
            cells[0] = 1;
            cells[0] = 2;
            mark(this);
        }, () -> {
            until(this);
            cells[0]++;
            cells[0]++;
        });
    }
}

/** Makes a new array for each change, as who has the old one still reads it. */
final class CopiedArray implements Program {
    volatile int[] cells = new int[2];

    public void run() throws Exception {
        together(() -> {
            int[] changed = cells.clone();
            changed[1] = 1;
            cells = changed;
        }, () -> {
            while (cells[1] == 0) {
                Thread.onSpinWait();
            }
        });
    }
}

final class AtomicElements implements Program {
    final int[] data = new int[4];
    final AtomicIntegerArray ready = new AtomicIntegerArray(4);

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 4; i++) {
                data[i] = i;
                ready.set(i, 1);
            }
        }, () -> {
            for (int i = 0; i < 4; i++) {
                while (ready.get(i) == 0) {
                    Thread.onSpinWait();
                }
                data[i]++;
            }
        });
    }
}

/** One buffer is filled while the other is read, and a volatile index says which. */
final class DoubleBuffer implements Program {
    final int[][] buffers = new int[2][8];
    volatile int full = -1;
    volatile boolean taken = true;

    public void run() throws Exception {
        together(() -> {
            for (int round = 0; round < 6; round++) {
                int[] buffer = buffers[round & 1];
                for (int i = 0; i < buffer.length; i++) {
                    buffer[i] = round;
                }
                while (!taken) {
                    Thread.onSpinWait();
                }
                taken = false;
                full = round;
            }
        }, () -> {
            for (int round = 0; round < 6; round++) {
                while (full != round) {
                    Thread.onSpinWait();
                }
                int sum = 0;
                for (int value : buffers[round & 1]) {
                    sum += value;
                }
                buffers[round & 1][0] = sum;
                taken = true;
            }
        });
    }
}

/** Waits for one flag, reads what another one says. */
final class WrongFlag implements Program {
    int a;
    int b; // race: WrongFlag.b
    volatile boolean hasA;
    volatile boolean hasB;

    public void run() throws Exception {
        together(() -> {
            a = 1;
            hasA = true;
            b = 1;
            hasB = true;
            mark(this);
        }, () -> {
            while (!hasA) {
                Thread.onSpinWait();
            }
            until(this);
            a++;
            b++;
        });
    }
}

/** The flag was read before it was set: that says nothing. */
final class FlagNotSeen implements Program {
    int data; // race: FlagNotSeen.data
    volatile boolean ready;

    public void run() throws Exception {
        together(() -> {
            until(this);
            data = 1;
            ready = true;
            mark(this, 2);
        }, () -> {
            boolean isReady = ready;
            mark(this);
            until(this, 2);
            if (!isReady) {
                data++;
            }
        });
    }
}

/** A reader writes: the writer of the flag has gone on. */
final class Answer implements Program {
    int answer; // race: Answer.answer
    volatile boolean asked;

    public void run() throws Exception {
        together(() -> {
            answer = 0;
            asked = true;
            until(this);
            answer++;
        }, () -> {
            while (!asked) {
                Thread.onSpinWait();
            }
            answer = 42;
            mark(this);
        });
    }
}

final class Configuration {
    static volatile boolean isLoaded;
    static int port;
    static String host;
}

final class StaticFlag implements Program {
    public void run() throws Exception {
        together(() -> {
            Configuration.port = 80;
            Configuration.host = "localhost";
            Configuration.isLoaded = true;
        }, () -> {
            while (!Configuration.isLoaded) {
                Thread.onSpinWait();
            }
            Configuration.port++;
            Configuration.host = null;
        });
    }
}

/** A value that is written by one thread and read by others without more. */
final class Statistics {
    static long requests; // race: Statistics.requests
}

final class PlainStatic implements Program {
    public void run() throws Exception {
        together(() -> {
            Statistics.requests++;
            mark(this);
            until(this, 2);
            Statistics.requests++;
        }, () -> {
            until(this);
            if (Statistics.requests > 9) {
                System.out.println("many");
            }
            mark(this, 2);
        });
    }
}

/** Volatile counts do not get lost by a single writer. */
final class SingleWriter implements Program {
    volatile long written;
    final long[] ring = new long[8];

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 8; i++) {
                ring[i] = i;
                written = i + 1;
            }
        }, () -> {
            long sum = 0;
            for (int i = 0; i < 8; i++) {
                while (written <= i) {
                    Thread.onSpinWait();
                }
                sum += ring[i];
            }
            if (sum != 28) {
                System.out.println(sum);
            }
        });
    }
}

/** The ring is full, and the writer does not care. */
final class Overrun implements Program {
    volatile long written;
    final long[] ring = new long[2]; // missed: Overrun.ring[] -- an array has one state until it races: which elements were accessed before is not known

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 8; i++) {
                ring[i & 1] = i;
                written = i + 1;
                if (i == 3) {
                    mark(this);
                    until(this, 2);
                }
            }
        }, () -> {
            until(this);
            long sum = 0;
            while (written < 2) {
                Thread.onSpinWait();
            }
            sum += ring[0] + ring[1];
            sum += ring[0] + ring[1];
            mark(this, 2);
            if (sum > 100) {
                System.out.println(sum);
            }
        });
    }
}

/** Two happen to write one volatile variable each, and to read it: an order by chance. */
final class Heartbeat implements Program {
    int data; // missed: Heartbeat.data -- a volatile variable has ordered the accesses by chance
    volatile long beat;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            beat++;
            mark(this);
        }, () -> {
            until(this);
            beat++;
            data++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Flag(), new FlagTooEarly(), new PlainFlag(), new StopFlag(), new StopAndRead(), new PingPong(), new OutOfTurn(),
                new Peterson(), new VolatileArray(), new CopiedArray(), new AtomicElements(), new DoubleBuffer(), new WrongFlag(),
                new FlagNotSeen(), new Answer(), new StaticFlag(), new PlainStatic(), new SingleWriter(), new Overrun(), new Heartbeat());
    }
}
