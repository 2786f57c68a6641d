package java.lang;

import static java.lang.JraceMode.DISCOVERING;
import static java.lang.JraceMode.ORDERING;
import static java.lang.JraceMode.TASKS;

import java.lang.JraceLayout.LockMode;
import java.lang.JraceLayout.Word;
import java.util.Arrays;
import java.util.concurrent.FutureTask;

/** What the agent keeps of one thread, besides the words that woven classes read from {@link Thread} itself. */
final class JraceContext {
    /** The lock was entered by a synchronized method. */
    static final int METHOD = 4;
    /** The lock is held in read mode. The value is that of the hook mode. */
    static final int SHARED = LockMode.SHARED;
    /** The lock is one of java.util.concurrent, not a monitor. */
    static final int LIBRARY = 8;
    /** The block that the lock was entered for is a transaction. */
    static final int ATOMIC = 16;
    /** The trace has the acquisition. */
    static final int ANNOUNCED = 32;
    /** A lock that the thread does not hold: it will ask whether a writer had it meanwhile. */
    static final int HOPED = 64;

    static final JraceShadow NOTHING = new JraceShadow(new Object(), 0, 0, null);
    private static final int STRIDE = 4;
    /** So many tokens a thread takes at once. */
    private static final int TOKENS = 1 << 10;
    private static final int[] LAST_TOKEN = {0};
    /** A class that JDK 21 loads where it tells no agent, if the first use of it is that a virtual thread waits for a while. */
    private static Class<?> unseen;
    /** Entries in the cache of arrays: a loop over several arrays has a site for each. */
    static final int ARRAYS = 32;

    /** Number of the thread. */
    final int id;
    /** The word of a location that this thread owns exclusively. */
    final int own;

    /** Locks held, outermost first; reentrant entries stand several times. */
    Object[] locks = new Object[8];
    /** For each: the thread's read and write words before it was taken, where it was taken, flags. */
    private int[] details = new int[8 * STRIDE];
    int depth;

    /** Whether hooks tell of all locks that the thread takes from now on, once the proofs of the focus set are void. */
    boolean isReported;

    /** What the thread knows of others, where order counts. */
    JraceOrder order;
    /** The task that the thread runs; null if it runs none. */
    JraceTask task;
    /** What its tasks have had for themselves; null where tasks do not count. */
    final JraceTask.Local[] locals = TASKS ? new JraceTask.Local[JraceTask.LOCALS] : null;
    /** How often it has asked for them. */
    long asked;
    /** With what the thread is about to read what others have written. */
    Object meeting;
    /** To which elements the thread is about to come, up to one of which the index is not 0. */
    int from;
    int until;
    /** The site at which the thread is about to read a field by what stands for it, the object, and whether the field is static. */
    int reflecting;
    Object reflected;
    boolean reflectsStatic;
    /** For each lock, those that were held before it was taken. */
    private JraceHeld[] helds = new JraceHeld[8];

    /** The latest transition: taking {@code cached} with these words leads to those. */
    JraceShadow cached = NOTHING;
    int fromFlags;
    int fromRead;
    int fromWrite;
    int toRead;
    int toWrite;

    /** A word that the state machine left as it was, with the thread words at that time and whether that was for a write. */
    private int passed;
    private int passedRead;
    private int passedWrite;
    private boolean passedForWrite;

    /** The next token; a multiple of {@link #TOKENS} if there is none left. */
    private int token;

    JraceContext(int id, int own) {
        this.id = id;
        this.own = own;
    }

    /** That of a thread, made at its first event. */
    static JraceContext of(Thread thread) {
        JraceContext context = JraceThread.context(thread);
        return context != null ? context : begin(thread, false);
    }

    /** The same; {@code starting} if the current thread is about to start this one. */
    static JraceContext begin(Thread thread, boolean starting) {
        JraceThread.prepare(thread);
        JraceContext known = JraceThread.context(thread);
        if (known != null) {
            return known;
        }
        boolean virtual = isVirtual(thread);
        if (virtual && unseen == null) {
            unseen = FutureTask.class;
        }
        int id = JraceAgent.register(thread.getName(), virtual, starting);
        JraceContext context = new JraceContext(id, Word.EXCLUSIVE | id);
        JraceThread.others(thread, ~context.own);
        int withoutLocks = DISCOVERING ? context.newToken() : Word.SHARED_MODIFIED;
        JraceThread.read(thread, withoutLocks);
        JraceThread.write(thread, withoutLocks);
        JraceThread.arrays(thread, newArrays());
        if (ORDERING) {
            context.order = starting ? of(Thread.currentThread()).order.fork(id) : JraceOrder.begin(id);
        }
        JraceThread.context(thread, context);
        return context;
    }

    static boolean isVirtual(Thread thread) {
        return thread.getClass().getName().equals("java.lang.VirtualThread");
    }

    /** A cache of the arrays that a thread accessed last, by the low bits of the site. */
    private static JraceShadow[] newArrays() {
        JraceShadow[] arrays = new JraceShadow[ARRAYS];
        Arrays.fill(arrays, NOTHING);
        return arrays;
    }

    boolean passes(int word, int read, int write, boolean isWrite) {
        return word == passed && read == passedRead && write == passedWrite && (passedForWrite || !isWrite);
    }

    void passed(int word, int read, int write, boolean isWrite) {
        passed = word;
        passedRead = read;
        passedWrite = write;
        passedForWrite = isWrite;
    }

    /**
     * Stands for this thread with the locks that it holds now, in type discovery; even. After half a billion they come again, and
     * an access that finds its own token by chance goes unrecorded.
     */
    int newToken() {
        if ((token & TOKENS - 1) == 0) {
            token = JraceMemory.U.getAndAddInt(LAST_TOKEN, JraceMemory.INTS, TOKENS);
        }
        int next = token & JraceDiscovery.SHARED - 1 | JraceDiscovery.SHARED;
        token += 2;
        return next;
    }

    boolean isFull() {
        return depth == locks.length;
    }

    void reserve() {
        if (isFull()) {
            details = Arrays.copyOf(details, 2 * depth * STRIDE);
            helds = Arrays.copyOf(helds, 2 * depth);
            locks = Arrays.copyOf(locks, 2 * depth);
        }
    }

    void push(int at, Object lock, int site, int flags, int read, int write) {
        int[] details = this.details;
        int base = at * STRIDE;
        details[base] = read;
        details[base + 1] = write;
        details[base + 2] = site;
        details[base + 3] = flags;
        locks[at] = lock;
        depth = at + 1;
    }

    /** Notes that the trace has the acquisition of an entry. */
    void announced(int at) {
        details[at * STRIDE + 3] |= ANNOUNCED;
    }

    void hold(int at, JraceHeld held) {
        helds[at] = held;
    }

    JraceHeld held(int at) {
        return helds[at];
    }

    void pop(int top) {
        locks[top] = null;
        depth = top;
    }

    /** Takes one entry out; {@code words} are the read and write words before each entry above it and after the last. */
    void remove(int at, int[] words) {
        int moved = depth - 1 - at;
        System.arraycopy(locks, at + 1, locks, at, moved);
        System.arraycopy(helds, at + 1, helds, at, moved);
        System.arraycopy(details, (at + 1) * STRIDE, details, at * STRIDE, moved * STRIDE);
        for (int i = 0; i < moved; i++) {
            details[(at + i) * STRIDE] = words[2 * i];
            details[(at + i) * STRIDE + 1] = words[2 * i + 1];
        }
        pop(depth - 1);
    }

    /** The latest entry of a lock whose flags agree with these on the bits of the mask; -1 if there is none. */
    int find(Object lock, int mask, int flags) {
        int at = depth - 1;
        while (at >= 0 && (locks[at] != lock || ((flags(at) ^ flags) & mask) != 0)) {
            at--;
        }
        return at;
    }

    /** Whether the thread holds the monitor of an object. */
    boolean holds(Object object) {
        for (int at = depth - 1; at >= 0; at--) {
            if (locks[at] == object && (flags(at) & LIBRARY) == 0) {
                return true;
            }
        }
        return false;
    }

    /** The latest entry below which every word is known; there is one when the words of the thread are not. */
    int firstUnasked(int unasked) {
        int at = 0;
        while (at + 1 < depth && savedRead(at + 1) != unasked && savedWrite(at + 1) != unasked) {
            at++;
        }
        return at;
    }

    void save(int at, int read, int write) {
        details[at * STRIDE] = read;
        details[at * STRIDE + 1] = write;
    }

    int savedRead(int at) {
        return details[at * STRIDE];
    }

    int savedWrite(int at) {
        return details[at * STRIDE + 1];
    }

    int site(int at) {
        return details[at * STRIDE + 2];
    }

    void site(int at, int site) {
        details[at * STRIDE + 2] = site;
    }

    int flags(int at) {
        return details[at * STRIDE + 3];
    }

    void cache(JraceShadow shadow, int flags, int read, int write, int toRead, int toWrite) {
        cached = shadow;
        fromFlags = flags;
        fromRead = read;
        fromWrite = write;
        this.toRead = toRead;
        this.toWrite = toWrite;
    }
}
