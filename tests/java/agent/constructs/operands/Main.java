package operands;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.GregorianCalendar;
import schedule.Program;

/** Handles of variables that hold long values: the object lies below four slots of arguments, or five. */
final class Handles {
    static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private Handles() {}

    static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The handle with coordinates behind its object that do not matter; none before JDK 22. */
    static VarHandle with(VarHandle handle, int at, Class<?>... coordinates) {
        try {
            var drop = MethodHandles.class.getMethod("dropCoordinates", VarHandle.class, int.class, Class[].class);
            return (VarHandle) drop.invoke(null, handle, at, coordinates);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static VarHandle ofClass(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findStaticVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

/** A lock that threads spin on, by one handle or another. */
abstract class Spun implements Program {
    static final int ROUNDS = 500;
    int count;

    abstract boolean tryLock();

    abstract void unlock();

    private void add() {
        for (int i = 0; i < ROUNDS; i++) {
            while (!tryLock()) {
                Thread.onSpinWait();
            }
            count++;
            unlock();
        }
    }

    @Override
    public void run() throws Exception {
        together(this::add, this::add);
        if (count != 2 * ROUNDS) {
            System.out.println("failed: " + count);
        }
    }
}

final class LongField extends Spun {
    private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);
    private long state;

    @Override
    boolean tryLock() {
        return STATE.compareAndSet(this, 0L, 1L);
    }

    @Override
    void unlock() {
        STATE.setRelease(this, 0L);
    }
}

final class DoubleStatic extends Spun {
    private static final VarHandle STATE = Handles.ofClass(MethodHandles.lookup(), "state", double.class);
    private static double state;

    @Override
    boolean tryLock() {
        return STATE.weakCompareAndSetAcquire(0.0, 1.0);
    }

    @Override
    void unlock() {
        STATE.setVolatile(0.0);
    }
}

final class LongElement extends Spun {
    private final long[] states = new long[3];

    @Override
    boolean tryLock() {
        return (long) Handles.ELEMENT.compareAndExchange(states, 1, 0L, 1L) == 0;
    }

    @Override
    void unlock() {
        Handles.ELEMENT.getAndAddRelease(states, 1, -1L);
    }
}

/** Coordinates of every type, which the variable does not need. */
final class Coordinates extends Spun {
    private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", int.class);
    private static final VarHandle ONE = Handles.with(STATE, 1, long.class);
    private static final VarHandle SMALL = Handles.with(STATE, 1, boolean.class, byte.class, char.class, short.class);
    private static final VarHandle WIDE =
            Handles.with(STATE, 1, double.class, float.class, String.class, long[].class, long.class);
    private final ThreadLocal<Integer> tries = ThreadLocal.withInitial(() -> 0);
    private int state;

    @Override
    public void run() throws Exception {
        if (ONE != null) {
            super.run();
        }
    }

    @Override
    boolean tryLock() {
        int turn = tries.get();
        tries.set(turn + 1);
        return switch (turn % 3) {
            case 0 -> ONE.compareAndSet(this, 7L, 0, 1);
            case 1 -> SMALL.compareAndSet(this, true, (byte) 1, 'c', (short) 2, 0, 1);
            default -> WIDE.compareAndSet(this, 1.5, 2.5f, "three", (long[]) null, 5L, 0, 1);
        };
    }

    @Override
    void unlock() {
        WIDE.setVolatile(this, 1.5, 2.5f, "three", new long[] {1}, 5L, 0);
    }
}

/** Coordinates and values that are objects. */
final class Objects extends Spun {
    private static final VarHandle OWNER = Handles.field(MethodHandles.lookup(), "owner", Object.class);
    private static final VarHandle WITH = Handles.with(OWNER, 1, Object.class, Object.class);
    private Object owner;

    @Override
    public void run() throws Exception {
        if (WITH != null) {
            super.run();
        }
    }

    @Override
    boolean tryLock() {
        return WITH.compareAndSet(this, (Object) "a", (Object) this, (Object) null, (Object) Thread.currentThread());
    }

    @Override
    void unlock() {
        WITH.setVolatile(this, (Object) "a", (Object) null, (Object) null);
    }
}

/** In a method with so many variables that instructions are wide. */
final class ManyVariables extends Spun {
    private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);
    private long state;

    @Override
    boolean tryLock() {
        long sum = 0;
        long v0 = sum + 0, v1 = sum + 1, v2 = sum + 2, v3 = sum + 3, v4 = sum + 4, v5 = sum + 5, v6 = sum + 6, v7 = sum + 7, v8 = sum + 8, v9 = sum + 9;
        sum += v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9;
        long v10 = sum + 10, v11 = sum + 11, v12 = sum + 12, v13 = sum + 13, v14 = sum + 14, v15 = sum + 15, v16 = sum + 16, v17 = sum + 17, v18 = sum + 18, v19 = sum + 19;
        sum += v10 + v11 + v12 + v13 + v14 + v15 + v16 + v17 + v18 + v19;
        long v20 = sum + 20, v21 = sum + 21, v22 = sum + 22, v23 = sum + 23, v24 = sum + 24, v25 = sum + 25, v26 = sum + 26, v27 = sum + 27, v28 = sum + 28, v29 = sum + 29;
        sum += v20 + v21 + v22 + v23 + v24 + v25 + v26 + v27 + v28 + v29;
        long v30 = sum + 30, v31 = sum + 31, v32 = sum + 32, v33 = sum + 33, v34 = sum + 34, v35 = sum + 35, v36 = sum + 36, v37 = sum + 37, v38 = sum + 38, v39 = sum + 39;
        sum += v30 + v31 + v32 + v33 + v34 + v35 + v36 + v37 + v38 + v39;
        long v40 = sum + 40, v41 = sum + 41, v42 = sum + 42, v43 = sum + 43, v44 = sum + 44, v45 = sum + 45, v46 = sum + 46, v47 = sum + 47, v48 = sum + 48, v49 = sum + 49;
        sum += v40 + v41 + v42 + v43 + v44 + v45 + v46 + v47 + v48 + v49;
        long v50 = sum + 50, v51 = sum + 51, v52 = sum + 52, v53 = sum + 53, v54 = sum + 54, v55 = sum + 55, v56 = sum + 56, v57 = sum + 57, v58 = sum + 58, v59 = sum + 59;
        sum += v50 + v51 + v52 + v53 + v54 + v55 + v56 + v57 + v58 + v59;
        long v60 = sum + 60, v61 = sum + 61, v62 = sum + 62, v63 = sum + 63, v64 = sum + 64, v65 = sum + 65, v66 = sum + 66, v67 = sum + 67, v68 = sum + 68, v69 = sum + 69;
        sum += v60 + v61 + v62 + v63 + v64 + v65 + v66 + v67 + v68 + v69;
        long v70 = sum + 70, v71 = sum + 71, v72 = sum + 72, v73 = sum + 73, v74 = sum + 74, v75 = sum + 75, v76 = sum + 76, v77 = sum + 77, v78 = sum + 78, v79 = sum + 79;
        sum += v70 + v71 + v72 + v73 + v74 + v75 + v76 + v77 + v78 + v79;
        long v80 = sum + 80, v81 = sum + 81, v82 = sum + 82, v83 = sum + 83, v84 = sum + 84, v85 = sum + 85, v86 = sum + 86, v87 = sum + 87, v88 = sum + 88, v89 = sum + 89;
        sum += v80 + v81 + v82 + v83 + v84 + v85 + v86 + v87 + v88 + v89;
        long v90 = sum + 90, v91 = sum + 91, v92 = sum + 92, v93 = sum + 93, v94 = sum + 94, v95 = sum + 95, v96 = sum + 96, v97 = sum + 97, v98 = sum + 98, v99 = sum + 99;
        sum += v90 + v91 + v92 + v93 + v94 + v95 + v96 + v97 + v98 + v99;
        long v100 = sum + 100, v101 = sum + 101, v102 = sum + 102, v103 = sum + 103, v104 = sum + 104, v105 = sum + 105, v106 = sum + 106, v107 = sum + 107, v108 = sum + 108, v109 = sum + 109;
        sum += v100 + v101 + v102 + v103 + v104 + v105 + v106 + v107 + v108 + v109;
        long v110 = sum + 110, v111 = sum + 111, v112 = sum + 112, v113 = sum + 113, v114 = sum + 114, v115 = sum + 115, v116 = sum + 116, v117 = sum + 117, v118 = sum + 118, v119 = sum + 119;
        sum += v110 + v111 + v112 + v113 + v114 + v115 + v116 + v117 + v118 + v119;
        long v120 = sum + 120, v121 = sum + 121, v122 = sum + 122, v123 = sum + 123, v124 = sum + 124, v125 = sum + 125, v126 = sum + 126, v127 = sum + 127, v128 = sum + 128, v129 = sum + 129;
        sum += v120 + v121 + v122 + v123 + v124 + v125 + v126 + v127 + v128 + v129;
        return STATE.compareAndSet(this, sum - sum, 1L);
    }

    @Override
    void unlock() {
        STATE.setVolatile(this, 0L);
    }
}

/** In loops over arrays, in handlers, and in a constructor. */
final class Places extends Spun {
    private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);
    private long state;
    private final int[] tries = new int[8];

    Places() {
        STATE.compareAndSet(this, 5L, 6L);
        for (int i = 0; i < tries.length; i++) {
            tries[i] = STATE.compareAndSet(this, 7L, 8L) ? 1 : 0;
        }
    }

    @Override
    boolean tryLock() {
        try {
            int[] own = new int[4];
            for (int i = 0; i < own.length; i++) {
                own[i] = i;
                if (STATE.compareAndSet(this, 0L, 1L)) {
                    tries[i]++;
                    return true;
                }
            }
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            return STATE.compareAndSet(this, 0L, 1L);
        }
    }

    @Override
    void unlock() {
        STATE.setVolatile(this, 0L);
    }
}

/** What was set aside is garbage when nobody else has it. */
final class Garbage implements Program {
    private static final VarHandle HELD = Handles.with(
            Handles.field(MethodHandles.lookup(), "held", Object.class), 1, long.class);
    private Object held;

    @Override
    public void run() {
        if (HELD == null) {
            return;
        }
        Object value = new Object();
        WeakReference<Object> reference = new WeakReference<>(value);
        HELD.compareAndSet(this, 1L, value, value);
        value = null;
        for (int i = 0; reference.get() != null; i++) {
            if (i == 100) {
                System.out.println("failed: kept alive");
                return;
            }
            System.gc();
        }
    }
}

/** A handle of a long orders what comes before it, and nothing else. */
final class TooLate implements Program {
    private static final VarHandle STATE = Handles.field(MethodHandles.lookup(), "state", long.class);
    private long state;
    private int early;
    private int late; // race: TooLate.late

    @Override
    public void run() throws Exception {
        together(() -> {
            early = 1;
            STATE.compareAndSet(this, 0L, 1L);
            late = 1;
            mark(this);
        }, () -> {
            until(this);
            if (STATE.compareAndSet(this, 1L, 2L)) {
                early++;
                late++;
            }
        });
    }
}

/** Two threads fill parts of an array that have nothing in common. */
final class Halves implements Program {
    private final long[] longs = new long[64];
    private final double[] doubles = new double[64];

    @Override
    public void run() throws Exception {
        together(() -> {
            Arrays.fill(longs, 0, 32, 1L);
            Arrays.fill(doubles, 0, 32, 1);
        }, () -> {
            Arrays.fill(longs, 32, 64, 2L);
            Arrays.fill(doubles, 32, 64, 2);
        });
    }
}

/** Two threads use an object, each by calls with several arguments. */
abstract class Twice implements Program {
    abstract void first() throws Exception;

    abstract void second() throws Exception;

    @Override
    public void run() throws Exception {
        together(() -> {
            first();
            mark(this);
            until(this, 2);
            first();
        }, () -> {
            until(this);
            second();
            mark(this, 2);
        });
    }
}

final class Filled extends Twice {
    private final long[] longs = new long[64]; // race: Filled.longs[]
    private final double[] doubles = new double[64]; // race: Filled.doubles[]
    private final int[] equal = new int[64]; // race: Filled.equal[]
    private final double[] searched = new double[64]; // race: Filled.searched[]

    @Override
    void first() {
        Arrays.fill(longs, 0, 33, 1L);
        Arrays.fill(doubles, 0, 33, 1);
        equal[3] = 1;
        searched[0] = -1;
    }

    @Override
    void second() {
        Arrays.fill(longs, 32, 64, 2L);
        Arrays.fill(doubles, 32, 64, 2);
        boolean isEqual = Arrays.equals(equal, 2, 9, new int[9], 2, 9);
        int at = Arrays.binarySearch(searched, 0, 64, 5.0);
    }
}

final class Texts extends Twice {
    private final StringBuilder inserted = new StringBuilder("text"); // race: Texts.inserted
    private final StringBuilder copied = new StringBuilder("text"); // race: Texts.copied
    private final StringBuilder joined = new StringBuilder("text"); // race: Texts.joined

    @Override
    void first() {
        inserted.insert(1, new char[] {'a', 'b'}, 0, 1);
        copied.append("more");
        joined.append("more");
    }

    @Override
    void second() {
        inserted.insert(1, "more", 0, 2);
        copied.getChars(0, 2, new char[4], 1);
        long one = System.nanoTime();
        String text = joined + "," + one + "," + one + "," + text(1) + text(2);
    }

    private static String text(int of) {
        return "text" + of;
    }
}

/** The array lies below another argument, and which field it is from is not known. */
final class Decoded extends Twice {
    private final byte[] bytes = {65, 66, 67}; // race: Decoded.second

    @Override
    void first() {
        bytes[2] = 68;
    }

    @Override
    void second() {
        String read = new String(bytes, StandardCharsets.UTF_8);
    }
}

/** What is given to another object is read. */
final class Given extends Twice {
    private final StringBuilder appended = new StringBuilder("text"); // race: Given.appended
    private final StringBuilder inserted = new StringBuilder("text"); // race: Given.inserted
    private final StringBuilder compared = new StringBuilder("text"); // race: Given.compared
    private final StringBuilder begun = new StringBuilder("text"); // race: Given.begun
    private final StringBuilder made = new StringBuilder("text"); // race: Given.made
    private final StringBuilder equal = new StringBuilder("text"); // race: Given.equal
    private final BitSet united = new BitSet(); // race: Given.united
    private final BitSet met = new BitSet(); // race: Given.met
    private final BitSet removed = new BitSet(); // race: Given.removed
    private final BitSet asked = new BitSet(); // race: Given.asked
    private final BitSet only = new BitSet();
    private final char[] characters = {'a', 'b', 'c'}; // race: Given.characters[]
    private final byte[] bytes = {65, 66, 67}; // race: Given.bytes[]

    @Override
    void first() {
        characters[1] = 'd';
        bytes[2] = 68;
        for (StringBuilder text : new StringBuilder[] {appended, inserted, compared, begun, made, equal}) {
            text.append("more");
        }
        united.set(1);
        met.set(1);
        removed.set(1);
        asked.set(1);
    }

    @Override
    void second() {
        CharSequence text = appended;
        new StringBuilder().append(text);
        new StringBuilder().insert(0, (Object) inserted);
        int order = new StringBuilder().compareTo(compared);
        new StringBuilder((CharSequence) begun);
        String of = new String(made);
        boolean isEqual = "text".contentEquals(equal);
        only.or(united);
        only.and(met);
        only.andNot(removed);
        boolean meets = only.intersects(asked);
        String read = new String(characters) + new String(bytes);
    }
}

final class Dates extends Twice {
    private final Calendar calendar = new GregorianCalendar(); // race: Dates.calendar
    private final NumberFormat format = new DecimalFormat("0.0"); // race: Dates.format

    @Override
    void first() {
        calendar.set(2020, 1, 1, 12, 30);
        format.format(1.5, new StringBuffer(), new FieldPosition(0));
    }

    @Override
    void second() {
        calendar.set(2020, 1, 1, 12, 30, 59);
        format.format(7L, new StringBuffer(), new FieldPosition(0));
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new LongField(), new DoubleStatic(), new LongElement(), new Coordinates(), new Objects(), new ManyVariables(), new Places(),
                new Garbage(), new TooLate(), new Halves(), new Filled(), new Texts(), new Given(), new Decoded(), new Dates());
    }
}
