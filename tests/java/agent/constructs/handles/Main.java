package handles;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.lang.invoke.VarHandle;
import java.lang.invoke.VolatileCallSite;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

/** A handle for one field makes no other one tell what it does. */
final class OtherOfVolatile implements Program {
    static final VarHandle THIRD = Handles.field(OtherOfVolatile.class, "third", int.class, MethodHandles.lookup());
    volatile boolean first;
    volatile boolean second;
    volatile int third;
    int data; // race: OtherOfVolatile.data

    public void run() throws Exception {
        together(() -> {
            first = true;
            data = 1;
            second = true;
            mark(this);
        }, () -> {
            until(this);
            if (first) {
                data++;
            }
        });
    }
}

/** That the object was handed over later says nothing of when a field was written. */
final class HandedOverLater implements Program {
    static final VarHandle OTHER = Handles.field(HandedOverLater.class, "other", int.class, MethodHandles.lookup());
    final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    volatile boolean ready;
    volatile int other;
    int data; // race: HandedOverLater.data

    public void run() throws Exception {
        together(() -> {
            ready = true;
            data = 1;
            queue.add(this);
            mark(this);
        }, () -> {
            until(this);
            if (ready) {
                data++;
            }
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

/** The class that declares the field is not the one that the handle was asked for with. */
class WithReady {
    volatile int ready;
}

final class GetOfInherited extends WithReady implements Program {
    static final VarHandle READY = Handles.field(GetOfInherited.class, "ready", int.class, MethodHandles.lookup());
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

/** The handle is made of a mirror, and when the code that writes has run already. */
final class GetOfMirror implements Program {
    volatile int ready;
    int data;

    void set() {
        ready = 1;
    }

    public void run() throws Exception {
        for (int i = 0; i < 10; i++) {
            new GetOfMirror().set();
        }
        VarHandle handle = MethodHandles.lookup().unreflectVarHandle(GetOfMirror.class.getDeclaredField("ready"));
        together(() -> {
            data = 1;
            set();
        }, () -> {
            while ((int) handle.getVolatile(this) == 0) {
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
    int value; // race: PlainByHandle.value

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
    int value; // race: PlainByReflection.value

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
    int data;

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

/** Plain accesses to variables of all kinds, by what stands for them. */
final class EachByHandle implements Program {
    static class Base {
        long inherited; // race: Base.inherited
    }

    static final class Kinds extends Base {
        static int shared; // race: Kinds.shared
        static double wide; // race: Kinds.wide
        String text = ""; // race: Kinds.text
        byte small; // race: Kinds.small
        double large; // race: Kinds.large
    }

    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static final VarHandle INHERITED = Handles.field(Kinds.class, "inherited", long.class, LOOKUP);
    static final VarHandle TEXT = Handles.field(Kinds.class, "text", String.class, LOOKUP);
    static final VarHandle SMALL = Handles.field(Kinds.class, "small", byte.class, LOOKUP);
    static final VarHandle LARGE = Handles.field(Kinds.class, "large", double.class, LOOKUP);

    static VarHandle statics(String name, Class<?> type) {
        try {
            return LOOKUP.findStaticVarHandle(Kinds.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final VarHandle shared = statics("shared", int.class);
    final VarHandle wide = statics("wide", double.class);
    final Kinds kinds = new Kinds();

    public void run() throws Exception {
        together(() -> {
            INHERITED.set(kinds, 1L);
            TEXT.set(kinds, "a");
            SMALL.set(kinds, (byte) 1);
            LARGE.set(kinds, 1.5);
            shared.set(1);
            wide.set(1.5);
            mark(this);
        }, () -> {
            until(this);
            double sum = (long) INHERITED.get(kinds) + ((String) TEXT.get(kinds)).length() + (byte) SMALL.get(kinds)
                    + (double) LARGE.get(kinds) + (int) shared.get() + (double) wide.get();
            if (sum < 0) {
                System.out.println(sum);
            }
        });
    }
}

/** Elements. */
final class ElementsByHandle implements Program {
    static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    final long[] sums = new long[4]; // race: ElementsByHandle.lambda$run$1
    final long[] parts = new long[4];
    final Object[] names = new Object[4];

    public void run() throws Exception {
        together(() -> {
            LONGS.set(sums, 1, 1L);
            LONGS.set(parts, 1, 1L);
            java.lang.reflect.Array.set(names, 1, "a");
            mark(this);
            until(this, 2);
            names[2] = "b";
        }, () -> {
            until(this);
            LONGS.set(sums, 1, 2L);
            LONGS.set(parts, 2, 2L);
            mark(this, 2);
            if (java.lang.reflect.Array.get(names, 1) == null) {
                names[1] = "c";
            }
        });
    }
}

/** By the method handles of a getter and a setter, and by reflection, of fields of all kinds. */
final class EachByMethod implements Program {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static long total; // race: EachByMethod.total
    int count; // race: EachByMethod.count
    double mean; // race: EachByMethod.mean
    String name; // race: EachByMethod.name
    static boolean isDone; // race: EachByMethod.isDone

    public void run() throws Exception {
        java.lang.reflect.Field text = EachByMethod.class.getDeclaredField("name");
        java.lang.reflect.Field flag = EachByMethod.class.getDeclaredField("isDone");
        together(() -> {
            try {
                LOOKUP.findSetter(EachByMethod.class, "count", int.class).invokeExact(this, 1);
                LOOKUP.findSetter(EachByMethod.class, "mean", double.class).invoke(this, 1.5);
                LOOKUP.findStaticSetter(EachByMethod.class, "total", long.class).invokeExact(1L);
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            text.set(this, "a");
            flag.setBoolean(null, true);
            mark(this);
        }, () -> {
            until(this);
            double sum;
            try {
                sum = (int) LOOKUP.findGetter(EachByMethod.class, "count", int.class).invokeExact(this)
                        + (double) LOOKUP.findGetter(EachByMethod.class, "mean", double.class).invoke(this)
                        + (long) LOOKUP.findStaticGetter(EachByMethod.class, "total", long.class).invokeExact();
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            if (text.get(this) == null || !flag.getBoolean(null) || sum < 0) {
                System.out.println(sum);
            }
        });
    }
}

/** Volatile fields by method handles and by reflection, static ones too. */
final class VolatileByMethod implements Program {
    static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    static volatile boolean first;
    volatile long second;
    static volatile int third;
    int data;

    public void run() throws Exception {
        java.lang.reflect.Field field = VolatileByMethod.class.getDeclaredField("third");
        together(() -> {
            data = 1;
            try {
                LOOKUP.findStaticSetter(VolatileByMethod.class, "first", boolean.class).invokeExact(true);
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
        }, () -> {
            while (!first) {
                Thread.onSpinWait();
            }
            data++;
            second = 1;
        }, () -> {
            try {
                while ((long) LOOKUP.findGetter(VolatileByMethod.class, "second", long.class).invokeExact(this) == 0) {
                    Thread.onSpinWait();
                }
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
            data++;
            third = 1;
        }, () -> {
            while (field.getInt(null) == 0) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Fields that a lock guards, one of the JDK, one that is final, and what fails. */
final class GuardedByReflection implements Program {
    static final VarHandle VALUE = Handles.field(GuardedByReflection.class, "value", int.class, MethodHandles.lookup());
    private int value;
    private final int fixed = Integer.parseInt("3");

    public void run() throws Exception {
        java.lang.reflect.Field field = GuardedByReflection.class.getDeclaredField("value");
        java.lang.reflect.Field constant = GuardedByReflection.class.getDeclaredField("fixed");
        java.lang.reflect.Field max = Integer.class.getField("MAX_VALUE");
        together(() -> {
            synchronized (this) {
                field.setInt(this, constant.getInt(this));
            }
        }, () -> {
            synchronized (this) {
                VALUE.set(this, (int) VALUE.get(this) + max.getInt(null));
            }
            try {
                field.setInt("text", 1);
            } catch (IllegalArgumentException expected) {
                mark(this);
            }
        });
    }
}

/** A plain access to a volatile field orders nothing. */
final class PlainOfVolatile implements Program {
    static final VarHandle READY = Handles.field(PlainOfVolatile.class, "ready", boolean.class, MethodHandles.lookup());
    volatile boolean ready;
    int data; // race: PlainOfVolatile.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            ready = true;
            mark(this);
        }, () -> {
            until(this);
            if ((boolean) READY.get(this)) {
                data++;
            }
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new SetVolatile(), new OtherOfVolatile(), new HandedOverLater(), new SetOfVolatile(), new GetOfVolatile(),
                new GetOfInherited(), new GetOfMirror(), new ReleaseAcquire(), new Opaque(), new ReadPlainly(),
                new TooLate(), new SpinLock(), new Weak(), new Acquiring(), new Adding(), new Elements(), new Statics(),
                new PlainByHandle(), new PlainByReflection(), new VolatileByReflection(),
                new VolatileTarget(), new VolatileInvoker(), new MutableTarget(),
                new EachByHandle(), new ElementsByHandle(), new EachByMethod(), new VolatileByMethod(), new GuardedByReflection(), new PlainOfVolatile());
    }
}
