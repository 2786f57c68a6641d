package java.lang;

import java.lang.ref.PhantomReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.concurrent.Semaphore;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What the agent keeps of an object besides shadow words: of an array, or of an object that is used as a lock or hands something over.
 *
 * <p>An entry is in a field of its object ({@link JraceCarrier}) or, if that has none, in a weak identity table ({@link JraceStripe}). It dies with
 * its object, which is after its finalizer: a weak reference would be gone before. Reference queues are
 * avoided because newer JDKs guard them with a lock that is itself woven.
 */
final class JraceShadow extends PhantomReference<Object> {
    /** In place of the thread that has taken a lock. */
    static final int SEVERAL = -1;
    private static final int[] NONE = {};

    /** Its place in the table. */
    final int hash;
    JraceShadow next;
    /** Whether its object carries it, and the table does not have it. */
    boolean isCarried;

    /** Number of the object, never reused. */
    final int id;
    /** Shadow word of an array; of an object that type discovery samples, the exclusive word of the thread that came first. */
    int word;
    /** Thread word for the lock set that holds this lock alone; 0 until it is first asked for. */
    int lone;
    /** Of a lock, how often a field that refers to it was looked for. */
    int searches;
    /** The number of the only thread that has taken this lock; 0 if none has ({@code checkers::eraser::owned}). */
    private int takers;
    /** The answer to {@link #isInternal(Object)}. */
    private boolean isInternal;
    /** Whether that was asked. */
    private boolean isAsked;
    /** The answer to {@link #isOfLibrary(Object)}; 0 if that was not asked. */
    private byte owner;
    /** Of a class, whether one of its fields may be accessed by a handle, an updater, or the like. */
    boolean hasHandles;
    /** Whether a trace says that something was made known through the object. */
    boolean isPublished;
    /** Whether a trace says of which class this lock is. */
    boolean described;
    /**
     * Shadow words of the elements of an array; of a thread, its {@link JraceWords} if they have no other place; of a collection, its
     * {@link JraceMembers}; of a handle, what it {@linkplain JraceReflectedField accesses}; of a class, what is known of the methods
     * that it {@linkplain JraceInherited inherits}.
     */
    private Object words;
    /**
     * Of an array, one more than the index of the element to which each access was, if to others as well; 0 if none was, {@link #MANY} if there is no
     * such element, {@link JraceChecks#ALL} if each access was to all. Of a class, whether its objects hold contents as those of the library's class that it extends ({@link JraceKind}).
     */
    int element;
    static final int MANY = -1;
    /** Of a class, where its objects carry their entries; 0 if that was not asked. */
    int carried;
    /** Of an array, what is known of the accesses to it, where order counts. */
    Object state;
    /** What threads have made known through the object. */
    JraceClock order;
    /** By writing its volatile fields as such: for who reads one by what stands for it, from which it is not known which one. */
    JraceClock direct;
    /** By writing one by what stands for it (a handle, an updater): for who reads any. */
    JraceClock indirect;
    /** Of a lock, who gave it up last after holding it exclusively, when, and what that thread had seen; null if nobody has. */
    private int releaser;
    private long released;
    private long[][] seen;
    /** Of a semaphore, how many permits it has; 0 if nobody has asked, and {@link #SIGNALS} if one thread gives what another takes. */
    private int permits;
    /** Of a lock that accesses are known by, or a class, the way back to the object; null if nobody has asked for it. */
    private WeakReference<Object> object;
    private static final int SIGNALS = -1;
    /** What those had done who held it in read mode since. */
    private JraceClock readers;
    /** By offset, how often the fields of a sampled object were recorded once it was shared. */
    private int[] late = NONE;

    JraceShadow(Object object, int hash, int id, JraceShadow next) {
        super(object, null);
        this.hash = hash;
        this.id = id;
        this.next = next;
    }

    /** That of an object which carries it. */
    JraceShadow(Object carrier, int id) {
        this(carrier, id, id, null);
        isCarried = true;
    }

    /** The entry of an object, made if there is none. */
    static JraceShadow of(Object object) {
        int place = JraceCarrier.place(object);
        return place == JraceMemory.NOWHERE ? inTable(object) : JraceCarrier.entry(object, place);
    }

    /** That of an object which carries none, such as an array. */
    static JraceShadow inTable(Object object) {
        int hash = hash(object);
        JraceStripe stripe = JraceStripe.of(hash);
        JraceShadow entry = stripe.find(object, hash);
        return entry != null ? entry : stripe.add(object, hash);
    }

    /** The entry of an array that the thread accesses at a site; its cache has it from now on. */
    static JraceShadow meet(Thread thread, Object array, int site) {
        JraceShadow shadow = inTable(array);
        JraceThread.arrays(thread)[site & (JraceContext.ARRAYS - 1)] = shadow;
        return shadow;
    }

    /** What the thread's cache has for a site. */
    @ForceInline
    static JraceShadow latest(int site) {
        JraceShadow[] cache = JraceThread.arrays(Thread.currentThread());
        return cache == null ? JraceContext.NOTHING : cache[site & (JraceContext.ARRAYS - 1)];
    }

    /** Whether an array has an entry; one that another thread is about to make may not be seen. */
    static boolean isKnown(Object array) {
        int hash = hash(array);
        return JraceStripe.of(hash).find(array, hash) != null;
    }

    /** The entry of an object; null if it has none. */
    static JraceShadow known(Object object) {
        int place = JraceCarrier.place(object);
        if (place != JraceMemory.NOWHERE) {
            return JraceCarrier.known(object, place);
        }
        int hash = hash(object);
        return JraceStripe.of(hash).known(object, hash);
    }

    /** Keeps the way back to the object, which a finalizer may have brought back. */
    JraceShadow knows(Object object) {
        if (this.object == null || this.object.refersTo(null)) {
            this.object = new WeakReference<>(object);
        }
        return this;
    }

    /** The object, if the way back is kept, and nothing but finalizers has seen the object's end. */
    Object object() {
        WeakReference<Object> object = this.object;
        return object == null ? null : object.get();
    }

    /** Which thread has taken the monitor of an object: its number, 0 if none has, or {@link #SEVERAL}. */
    static int takers(Object object) {
        JraceShadow entry = known(object);
        return entry == null ? 0 : entry.takers;
    }

    /** A thread is about to take this lock. */
    void take(int thread) {
        if (takers != thread && takers != SEVERAL) {
            addTaker(thread);
        }
    }

    private synchronized void addTaker(int thread) {
        takers = takers == 0 || takers == thread ? thread : SEVERAL;
    }

    /** The thread has taken this lock: what others did under it came before. */
    void tell(JraceOrder order, boolean shared) {
        if (seen != null) {
            order.see(releaser, released, seen);
        }
        JraceClock clock = readers;
        if (clock != null && !shared) {
            order.see(clock);
        }
    }

    /** A semaphore was made. One without permits is for signals. */
    synchronized void isMadeWith(int permits) {
        this.permits = permits > 0 ? permits : SIGNALS;
    }

    /** Somebody gives a permit of a semaphore who has none. */
    synchronized void isSignalled() {
        permits = SIGNALS;
    }

    /** Whether nobody holds a permit of a semaphore by having taken it. */
    boolean signals() {
        return permits == SIGNALS;
    }

    /**
     * Whether a semaphore has so many permits in all, which have been taken. Of one that was made before the agent came, that is asked
     * when its first ones have been taken; others that are taken just then count as none.
     */
    synchronized boolean areAll(int n, Semaphore semaphore) {
        if (permits == 0) {
            permits = n + Math.max(semaphore.availablePermits(), 0);
        }
        return permits == n;
    }

    /** A thread that holds this lock exclusively is about to give it up. */
    void leave(int slot, long time, long[][] seen) {
        releaser = slot;
        released = time;
        this.seen = seen;
        readers = null;
    }

    /** One that holds it in read mode is. */
    synchronized void leave(JraceClock clock) {
        readers = readers == null ? clock : readers.join(clock);
    }

    /** What stands for a constant that is put into this collection. */
    synchronized Object standsFor(Object constant) {
        if (words == null) {
            words = new JraceMembers();
        }
        JraceMembers members = members();
        return members == null ? constant : members.put(constant);
    }

    /** What stands for a key that is not in this map any more ({@link JraceMembers#gone}). */
    synchronized Object gone(Object key) {
        if (words == null) {
            words = new JraceMembers();
        }
        JraceMembers members = members();
        return members == null ? null : members.go(key);
    }

    /** What stands for this barrier to those who pass it ({@link JraceMembers#passage}). */
    synchronized Object passage() {
        if (words == null) {
            words = new JraceMembers();
        }
        JraceMembers members = members();
        return members == null ? null : members.open();
    }

    /** What stands for the constants in this collection; null if there are none. */
    JraceMembers members() {
        Object words = this.words;
        return words instanceof JraceMembers ? (JraceMembers) words : null;
    }

    /** What was found out of the methods that this class inherits ({@link JraceInherited}). */
    byte[] inherited(int size) {
        if (words == null) {
            words = new byte[size];
        }
        return (byte[]) words;
    }

    /** The field for which a handle stands; null if that was not looked for. */
    JraceReflectedField reflected() {
        Object words = this.words;
        return words instanceof JraceReflectedField ? (JraceReflectedField) words : null;
    }

    void reflects(JraceReflectedField field) {
        JraceMemory.U.storeFence();
        words = field;
    }

    /** Whether the library is known to make things known through this object for itself. */
    boolean isInternal() {
        return isInternal;
    }

    /** Whether the library makes things known through this object for itself; asked when that happens first. */
    boolean isInternal(Object object) {
        if (!isAsked) {
            isInternal = JraceInternal.isInternal(object);
            isAsked = true;
        }
        return isInternal;
    }

    /**
     * Whether a class is a library's, or an object is none of the program's, and it is a library that makes something known through it; asked when
     * that happens first.
     */
    boolean isOfLibrary(Object object) {
        if (owner == 0) {
            boolean isOwn = object instanceof Class
                    ? JraceAgent.isOwn(((Class<?>) object).getName())
                    : !of(object.getClass()).isOfLibrary(object.getClass()) || JraceAgent.isCallerOwn();
            owner = (byte) (isOwn ? 1 : 2);
        }
        return owner == 2;
    }

    /** One state for each element. */
    Object[] states(Object array) {
        Object states = this.words;
        if (states == null) {
            synchronized (this) {
                states = this.words;
                if (states == null) {
                    states = new Object[Array.getLength(array)];
                    JraceMemory.U.storeFence();
                    this.words = states;
                }
            }
        }
        return (Object[]) states;
    }

    /** One word for each element. */
    int[] elements(Object array) {
        Object words = this.words;
        if (words == null) {
            synchronized (this) {
                words = this.words;
                if (words == null) {
                    words = new int[Array.getLength(array)];
                    JraceMemory.U.storeFence();
                    this.words = words;
                }
            }
        }
        return (int[]) words;
    }

    /** Those of a thread. */
    synchronized JraceWords words() {
        if (words == null) {
            words = new JraceWords();
        }
        return (JraceWords) words;
    }

    /** Counts an access to a field of a sampled object; says how many that makes. Threads may lose each other's counts. */
    int late(long offset) {
        int at = (int) (offset / Integer.BYTES);
        int[] counts = late;
        if (at >= counts.length) {
            counts = java.util.Arrays.copyOf(counts, at + 1);
            late = counts;
        }
        return ++counts[at];
    }

    /** Identity hashes have few bits where headers are compact. */
    private static int hash(Object object) {
        int hash = System.identityHashCode(object);
        return hash ^ hash >>> 15;
    }

    void died() {
        if (lone != 0) {
            JraceAgent.forget(id);
        }
    }
}
