package handles;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VolatileCallSite;
import schedule.Program;

/** One handle of each kind of variable. */
final class Handles {
    private Handles() {}

    static VarHandle field(Class<?> owner, String name, Class<?> type, MethodHandles.Lookup lookup) {
        try {
            return lookup.findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

final class SetVolatile implements Program {
    static final VarHandle READY = Handles.field(SetVolatile.class, "ready", boolean.class, MethodHandles.lookup());
    boolean ready;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            READY.setVolatile(this, true);
        }, () -> {
            while (!(boolean) READY.getVolatile(this)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** The field is volatile, and read as such. */
final class SetOfVolatile implements Program {
    static final VarHandle READY = Handles.field(SetOfVolatile.class, "ready", int.class, MethodHandles.lookup());
    volatile int ready;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            READY.setVolatile(this, 1);
        }, () -> {
            while (ready == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class GetOfVolatile implements Program {
    static final VarHandle READY = Handles.field(GetOfVolatile.class, "ready", int.class, MethodHandles.lookup());
    volatile int ready;
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = 1;
        }, () -> {
            while ((int) READY.getAcquire(this) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

final class ReleaseAcquire implements Program {
    static final VarHandle LATEST = Handles.field(ReleaseAcquire.class, "latest", int[].class, MethodHandles.lookup());
    int[] latest;

    public void run() throws Exception {
        together(() -> {
            int[] made = {1, 2};
            made[1]++;
            LATEST.setRelease(this, made);
        }, () -> {
            int[] seen = (int[]) LATEST.getAcquire(this);
            while (seen == null) {
                seen = (int[]) LATEST.getAcquire(this);
            }
            seen[0]++;
        });
    }
}

final class Opaque implements Program {
    static final VarHandle READY = Handles.field(Opaque.class, "ready", boolean.class, MethodHandles.lookup());
    boolean ready;
    int data; // race: Opaque.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            READY.setOpaque(this, true);
        }, () -> {
            while (!(boolean) READY.getOpaque(this)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** A plain read of a field that was published, too. */
final class ReadPlainly implements Program {
    static final VarHandle READY = Handles.field(ReadPlainly.class, "ready", int.class, MethodHandles.lookup());
    volatile int ready;
    int data; // race: ReadPlainly.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            READY.setVolatile(this, 1);
            mark(this);
        }, () -> {
            until(this);
            if ((int) READY.get(this) == 1) {
                data++;
            }
        });
    }
}

final class TooLate implements Program {
    static final VarHandle READY = Handles.field(TooLate.class, "ready", boolean.class, MethodHandles.lookup());
    boolean ready;
    int data; // race: TooLate.data

    public void run() throws Exception {
        together(() -> {
            READY.setRelease(this, true);
            data = 1;
            mark(this);
        }, () -> {
            while (!(boolean) READY.getAcquire(this)) {
                Thread.onSpinWait();
            }
            until(this);
            data++;
        });
    }
}

final class SpinLock implements Program {
    static final VarHandle LOCKED = Handles.field(SpinLock.class, "locked", int.class, MethodHandles.lookup());
    volatile int locked;
    int count;

    void add() {
        while (!LOCKED.compareAndSet(this, 0, 1)) {
            Thread.onSpinWait();
        }
        count++;
        locked = 0;
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

final class Weak implements Program {
    static final VarHandle LOCKED = Handles.field(Weak.class, "locked", int.class, MethodHandles.lookup());
    int locked;
    int count;

    void add() {
        while (!LOCKED.weakCompareAndSetAcquire(this, 0, 1)) {
            Thread.onSpinWait();
        }
        count++;
        LOCKED.setRelease(this, 0);
    }

    public void run() throws Exception {
        together(this::add, this::add);
    }
}

/** Acquires where nobody releases. */
final class Acquiring implements Program {
    static final VarHandle LOCKED = Handles.field(Acquiring.class, "locked", int.class, MethodHandles.lookup());
    int locked;
    int count; // race: Acquiring.count

    public void run() throws Exception {
        together(() -> {
            LOCKED.compareAndExchangeAcquire(this, 0, 1);
            count++;
            LOCKED.setOpaque(this, 0);
            mark(this);
        }, () -> {
            until(this);
            LOCKED.compareAndExchangeAcquire(this, 0, 1);
            count++;
        });
    }
}

final class Adding implements Program {
    static final VarHandle LEFT = Handles.field(Adding.class, "left", int.class, MethodHandles.lookup());
    int left = 2;
    int a;
    int b;

    void finish() {
        if ((int) LEFT.getAndAdd(this, -1) == 1) {
            a += b;
            b = 0;
        }
    }

    public void run() throws Exception {
        together(() -> {
            a = 1;
            finish();
        }, () -> {
            b = 1;
            finish();
        });
    }
}

final class Elements implements Program {
    static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);
    final int[] ready = new int[4];
    final int[] data = new int[4];

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 4; i++) {
                data[i] = i;
                CELLS.setRelease(ready, i, 1);
            }
        }, () -> {
            for (int i = 0; i < 4; i++) {
                while ((int) CELLS.getAcquire(ready, i) == 0) {
                    Thread.onSpinWait();
                }
                data[i]++;
            }
        });
    }
}

final class Statics implements Program {
    static final VarHandle READY;
    static boolean ready;
    int data;

    static {
        try {
            READY = MethodHandles.lookup().findStaticVarHandle(Statics.class, "ready", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public void run() throws Exception {
        together(() -> {
            data = 1;
            READY.setVolatile(true);
        }, () -> {
            while (!(boolean) READY.getVolatile()) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Plain accesses by handles are accesses. */
final class PlainByHandle implements Program {
    static final VarHandle VALUE = Handles.field(PlainByHandle.class, "value", int.class, MethodHandles.lookup());
    int value; // missed: PlainByHandle.value -- plain accesses by a VarHandle are not seen

    public void run() throws Exception {
        together(() -> {
            VALUE.set(this, 1);
            mark(this);
            until(this, 2);
            VALUE.set(this, 2);
        }, () -> {
            until(this);
            value++;
            mark(this, 2);
        });
    }
}

/** So are those by reflection. */
final class PlainByReflection implements Program {
    int value; // missed: PlainByReflection.value -- accesses by reflection are not seen

    public void run() throws Exception {
        java.lang.reflect.Field field = PlainByReflection.class.getDeclaredField("value");
        together(() -> {
            field.setInt(this, 1);
            mark(this);
            until(this, 2);
            field.setInt(this, 2);
        }, () -> {
            until(this);
            value++;
            mark(this, 2);
        });
    }
}

final class VolatileByReflection implements Program {
    volatile boolean ready;
    int data; // false-alarm: VolatileByReflection.data -- volatile accesses by reflection or by a method handle order nothing

    public void run() throws Exception {
        java.lang.reflect.Field field = VolatileByReflection.class.getDeclaredField("ready");
        together(() -> {
            data = 1;
            field.setBoolean(this, true);
        }, () -> {
            while (!field.getBoolean(this)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** A call site with a volatile target. */
final class VolatileTarget implements Program {
    final VolatileCallSite site = new VolatileCallSite(MethodHandles.constant(int.class, 0));
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            site.setTarget(MethodHandles.constant(int.class, 1));
        }, () -> {
            try {
                while ((int) site.getTarget().invokeExact() == 0) {
                    Thread.onSpinWait();
                }
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            data++;
        });
    }
}

/** The same by the handle that calls the target. */
final class VolatileInvoker implements Program {
    final VolatileCallSite site = new VolatileCallSite(MethodHandles.constant(int.class, 0));
    int data;

    public void run() throws Exception {
        together(() -> {
            data = 1;
            site.setTarget(MethodHandles.constant(int.class, 1));
        }, () -> {
            try {
                while ((int) site.dynamicInvoker().invokeExact() == 0) {
                    Thread.onSpinWait();
                }
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            data++;
        });
    }
}

/** A target that is not volatile. */
final class MutableTarget implements Program {
    final MutableCallSite site = new MutableCallSite(MethodHandles.constant(int.class, 0));
    int data; // race: MutableTarget.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            site.setTarget(MethodHandles.constant(int.class, 1));
            mark(this);
        }, () -> {
            until(this);
            if (site.getTarget() != null) {
                data++;
            }
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new SetVolatile(), new SetOfVolatile(), new GetOfVolatile(), new ReleaseAcquire(), new Opaque(), new ReadPlainly(),
                new TooLate(), new SpinLock(), new Weak(), new Acquiring(), new Adding(), new Elements(), new Statics(),
                new PlainByHandle(), new PlainByReflection(), new VolatileByReflection(),
                new VolatileTarget(), new VolatileInvoker(), new MutableTarget());
    }
}
