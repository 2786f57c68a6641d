package fences;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import schedule.Program;
import sun.misc.Unsafe;

/** With opaque accesses. */
final class OpaqueFlag implements Program {
    static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(OpaqueFlag.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    boolean ready;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            VarHandle.releaseFence();
            READY.setOpaque(this, true);
        }, () -> {
            while (!(boolean) READY.getOpaque(this)) {
                Thread.onSpinWait();
            }
            VarHandle.acquireFence();
            data++;
        });
    }
}

/** A counter of a ring buffer: a plain field, always with a fence. */
final class Sequence {
    private long value = -1;

    long get() {
        long seen = value;
        VarHandle.acquireFence();
        return seen;
    }

    void set(long next) {
        VarHandle.releaseFence();
        value = next;
    }

    void setVolatile(long next) {
        VarHandle.fullFence();
        this.value = next;
        VarHandle.fullFence();
    }
}

/** Slots that go from a producer to a consumer, and back. */
final class Ring implements Program {
    final int[] slots = new int[4];
    final Sequence written = new Sequence();
    final Sequence taken = new Sequence();

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 40; i++) {
                while (i - taken.get() > slots.length) {
                    Thread.onSpinWait();
                }
                slots[i % slots.length] = i;
                if (i % 2 == 0) {
                    written.set(i);
                } else {
                    written.setVolatile(i);
                }
            }
        }, () -> {
            for (int i = 0; i < 40; i++) {
                while (written.get() < i) {
                    Thread.onSpinWait();
                }
                slots[i % slots.length]++;
                taken.set(i);
            }
        });
    }
}

/** The read is in the condition of the loop, and the field is that of another object. */
final class Spinning implements Program {
    static final class Signal {
        int state;
    }

    final Signal signal = new Signal();
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            until(this);
            VarHandle.storeStoreFence();
            signal.state = 2;
        }, () -> {
            mark(this);
            while (signal.state != 2) {
                Thread.onSpinWait();
            }
            VarHandle.loadLoadFence();
            data++;
        });
    }
}

/** The fences of `Unsafe`. */
final class ByUnsafe implements Program {
    static final Unsafe U;

    static {
        try {
            Field unsafe = Unsafe.class.getDeclaredField("theUnsafe");
            unsafe.setAccessible(true);
            U = (Unsafe) unsafe.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    Object message;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            U.storeFence();
            message = this;
            mark(this);
        }, () -> {
            until(this);
            Object seen = message;
            U.loadFence();
            if (seen != null) {
                data++;
            }
        });
    }
}

/** Nothing keeps the reader's accesses in order. */
final class NoAcquire implements Program {
    boolean ready; // missed: NoAcquire.ready -- the write is beside a fence, and the read is not known to need one
    int data; // race: NoAcquire.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            VarHandle.releaseFence();
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            if (ready) {
                data++;
            }
        });
    }
}

/** Nothing keeps the writer's. */
final class NoRelease implements Program {
    boolean ready; // missed: NoRelease.ready -- the read is beside a fence, and the write is not known to need one
    int data; // race: NoRelease.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            boolean seen = ready;
            VarHandle.acquireFence();
            if (seen) {
                data++;
            }
        });
    }
}

/** A fence of the wrong kind orders nothing. */
final class WrongKind implements Program {
    boolean ready; // race: WrongKind.ready
    int data; // race: WrongKind.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            VarHandle.acquireFence();
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            boolean seen = ready;
            VarHandle.releaseFence();
            if (seen) {
                data++;
            }
        });
    }
}

/** What is written before the fence is no flag, nor what is written after the flag. */
final class NotTheFlag implements Program {
    boolean ready;
    int before;
    int after; // race: NotTheFlag.after

    public void run() throws Exception {
        together(() -> {
            before = 1;
            VarHandle.releaseFence();
            ready = true;
            after = 1;
            mark(this);
        }, () -> {
            until(this);
            boolean seen = ready;
            VarHandle.acquireFence();
            if (seen) {
                before++;
                after++;
            }
        });
    }
}

/** Nor is what is read before the flag. */
final class ReadTooEarly implements Program {
    boolean ready;
    int data;
    int early; // race: ReadTooEarly.early

    public void run() throws Exception {
        together(() -> {
            data = 1;
            VarHandle.releaseFence();
            ready = true;
            early = 1;
            mark(this);
        }, () -> {
            until(this);
            int seen = early;
            boolean isReady = ready;
            VarHandle.acquireFence();
            if (isReady) {
                data += seen;
            }
        });
    }
}

/** There is a fence on another way only. */
final class Sometimes implements Program {
    boolean ready; // race: Sometimes.ready
    int data; // race: Sometimes.data

    public void run() throws Exception {
        boolean isCareful = data == 7;
        together(() -> {
            data = 1;
            if (isCareful) {
                VarHandle.releaseFence();
            }
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            if (ready) {
                data++;
            }
        });
    }
}

/** A call or a lock between the fence and the write parts them. */
final class Parted implements Program {
    boolean ready; // race: Parted.ready
    int data; // race: Parted.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            VarHandle.releaseFence();
            Thread.yield();
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            boolean seen = ready;
            Thread.yield();
            VarHandle.acquireFence();
            if (seen) {
                data++;
            }
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new OpaqueFlag(), new Ring(), new Spinning(), new ByUnsafe(), new NoAcquire(), new NoRelease(), new WrongKind(),
                new NotTheFlag(), new ReadTooEarly(), new Sometimes(), new Parted());
    }
}
