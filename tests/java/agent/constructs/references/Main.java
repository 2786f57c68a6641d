package references;

import static schedule.Schedule.mark;
import static schedule.Schedule.start;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import schedule.Program;

/** Each thread has its own. */
final class OwnBuffer implements Program {
    static final class Scratch {
        int fill;
        final byte[] bytes = new byte[16];
    }

    static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    void use() {
        Scratch scratch = SCRATCH.get();
        scratch.fill++;
        scratch.bytes[0] = 1;
        SCRATCH.remove();
    }

    public void run() throws Exception {
        together(this::use, this::use);
    }
}

/** Each thread has its own reference to the same. */
final class SharedBuffer implements Program {
    static final class Common {
        int fill; // race: Common.fill
    }

    static final Common COMMON = new Common();
    static final ThreadLocal<Common> LOCAL = ThreadLocal.withInitial(() -> COMMON);

    public void run() throws Exception {
        together(() -> {
            LOCAL.get().fill++;
            mark(this);
        }, () -> {
            until(this);
            LOCAL.get().fill++;
        });
    }
}

/** The order of `set` and `get` of thread locals is no order. */
final class SetByBoth implements Program {
    static final ThreadLocal<String> NAME = new ThreadLocal<>();
    int changes; // race: SetByBoth.changes

    public void run() throws Exception {
        together(() -> {
            NAME.set("a");
            changes++;
            mark(this);
        }, () -> {
            until(this);
            NAME.set("b");
            changes++;
        });
    }
}

/** A weak reference hands over as any field does. */
final class WeaklyHeld implements Program {
    static final class Image {
        int loads;
    }

    volatile WeakReference<Image> weak;
    Image kept;

    public void run() throws Exception {
        kept = new Image();
        together(() -> {
            kept.loads = 1;
            weak = new WeakReference<>(kept);
        }, () -> {
            while (weak == null) {
                Thread.onSpinWait();
            }
            weak.get().loads++;
        });
    }
}

final class SoftlyHeld implements Program {
    static final class Icon {
        int loads; // race: Icon.loads
    }

    final SoftReference<Icon> soft = new SoftReference<>(new Icon());

    public void run() throws Exception {
        Icon kept = soft.get();
        together(() -> {
            soft.get().loads++;
            mark(this);
        }, () -> {
            until(this);
            soft.get().loads++;
        });
        Reference.reachabilityFence(kept);
    }
}

/** What was done before `enqueue` is known to who takes the reference out of the queue. */
final class Enqueued implements Program {
    static final class Handle extends WeakReference<Object> {
        int state;

        Handle(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    final ReferenceQueue<Object> queue = new ReferenceQueue<>();

    public void run() throws Exception {
        Object referent = new Object();
        together(() -> {
            Handle handle = new Handle(referent, queue);
            handle.state = 1;
            handle.enqueue();
        }, () -> ((Handle) queue.remove()).state++);
    }
}

/** Written after the reference was enqueued. */
final class EnqueuedTooEarly implements Program {
    static final class Ticket extends WeakReference<Object> {
        int state; // race: Ticket.state

        Ticket(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    final ReferenceQueue<Object> queue = new ReferenceQueue<>();

    public void run() throws Exception {
        Object referent = new Object();
        together(() -> {
            Ticket ticket = new Ticket(referent, queue);
            ticket.enqueue();
            ticket.state = 1;
            mark(this);
        }, () -> {
            until(this);
            ((Ticket) queue.poll()).state++;
        });
    }
}

/** The state is written until the object is given up. */
final class Cleaned implements Program {
    static final Cleaner CLEANER = Cleaner.create();

    static final class State implements Runnable {
        int writes; // false-alarm: State.writes -- what a thread does before the collector finds that an object is gone is not followed
        final Program program;

        State(Program program) {
            this.program = program;
        }

        @Override
        public void run() {
            writes++;
            mark(program);
        }
    }

    static final class Resource {
        final State state;

        Resource(Program program) {
            state = new State(program);
            CLEANER.register(this, state);
        }

        void write() {
            state.writes++;
            Reference.reachabilityFence(this);
        }
    }

    public void run() throws Exception {
        new Resource(this).write();
        for (int i = 0; i < 100 && !new java.io.File("step-references.Cleaned-1").exists(); i++) {
            System.gc();
            Thread.sleep(10);
        }
    }
}

/** Closed by hand, in the thread that has used it. */
final class CleanedByHand implements Program {
    static final class Lease implements Runnable {
        int open = 1;

        @Override
        public void run() {
            open--;
        }
    }

    public void run() throws Exception {
        Lease lease = new Lease();
        Cleaner.Cleanable cleanable = Cleaned.CLEANER.register(new Object[] {this}, lease);
        Thread thread = start(() -> lease.open++);
        thread.join();
        cleanable.clean();
    }
}

/** Buffers of a pool go from thread to thread. */
final class Pool implements Program {
    static final class Chunk {
        int used;
    }

    private final java.util.concurrent.ConcurrentLinkedDeque<Chunk> free = new java.util.concurrent.ConcurrentLinkedDeque<>();

    void use() {
        for (int i = 0; i < 20; i++) {
            Chunk chunk = free.pollFirst();
            if (chunk == null) {
                chunk = new Chunk();
            }
            chunk.used++;
            chunk.used = 0;
            free.offerFirst(chunk);
        }
    }

    public void run() throws Exception {
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        }, this::use);
    }
}

/** A pool with a lock of its own. */
final class LockedPool implements Program {
    static final class Block {
        int used;
    }

    private final Deque<Block> free = new ArrayDeque<>();

    Block take() {
        synchronized (free) {
            return free.isEmpty() ? new Block() : free.pop();
        }
    }

    void give(Block block) {
        synchronized (free) {
            free.push(block);
        }
    }

    public void run() throws Exception {
        together(() -> {
            Block block = take();
            block.used++;
            give(block);
            mark(this);
        }, () -> {
            until(this);
            Block block = take();
            block.used++;
            give(block);
        });
    }
}

/** Given back twice, the buffer has two owners. */
final class GivenBackTwice implements Program {
    static final class Frame {
        int used; // race: Frame.used
    }

    private final java.util.concurrent.BlockingQueue<Frame> free = new java.util.concurrent.LinkedBlockingQueue<>();

    public void run() throws Exception {
        Frame given = new Frame();
        free.put(given);
        free.put(given);
        together(() -> {
            free.take().used++;
            mark(this);
        }, () -> {
            until(this);
            free.take().used++;
        });
    }
}

/** Used after it was given back. */
final class UsedAfterReturn implements Program {
    static final class Cursor {
        int row; // race: Cursor.row
    }

    private final java.util.concurrent.atomic.AtomicReference<Cursor> slot = new java.util.concurrent.atomic.AtomicReference<>(new Cursor());

    public void run() throws Exception {
        together(() -> {
            Cursor cursor = slot.getAndSet(null);
            cursor.row = 1;
            slot.set(cursor);
            cursor.row = 0;
            mark(this);
        }, () -> {
            until(this);
            slot.getAndSet(null).row++;
        });
    }
}

/** One slot, taken by exchange. */
final class SlotPool implements Program {
    static final class Page {
        int row;
    }

    private final java.util.concurrent.atomic.AtomicReference<Page> slot = new java.util.concurrent.atomic.AtomicReference<>();

    void use() {
        for (int i = 0; i < 20; i++) {
            Page page = slot.getAndSet(null);
            if (page == null) {
                page = new Page();
            }
            page.row++;
            slot.set(page);
        }
    }

    public void run() throws Exception {
        together(() -> {
            use();
            mark(this);
        }, () -> {
            until(this);
            use();
        });
    }
}

/** A hook of the shutdown runs after all that main has done. */
final class ShutdownHook implements Program {
    int closed;

    public void run() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> closed++));
        closed = 1;
    }
}

/** Makes garbage of what a thread has given up, until its finalizer has run. */
final class Garbage {
    private Garbage() {}

    static void collect(Program of) throws InterruptedException {
        java.io.File step = new java.io.File("step-references." + of.getClass().getSimpleName() + "-1");
        for (int i = 0; i < 500 && !step.exists(); i++) {
            System.gc();
            Thread.sleep(10);
        }
    }
}

/** The end of a constructor comes before the finalizer; the constructor of a subclass, too. */
@SuppressWarnings({"deprecation", "removal"})
final class Finalized implements Program {
    static class Handle {
        int open;
        int[] pages;

        Handle() {
            open = 1;
            pages = new int[] {1};
        }

        void close() {
            open--;
            pages[0]--;
        }

        @Override
        protected final void finalize() {
            close();
        }
    }

    static final class Tail {
        int length;
    }

    static final class FileHandle extends Handle {
        private final Program program;
        int name;
        Tail tail;

        FileHandle(Program program) {
            this.program = program;
            name = 1;
            tail = new Tail();
            tail.length = 1;
        }

        @Override
        void close() {
            super.close();
            name--;
            tail.length--;
            mark(program);
        }
    }

    public void run() throws Exception {
        start(() -> new FileHandle(this)).join();
        Garbage.collect(this);
    }
}

/** The monitor of the object itself, which is found again when it is finalized. */
@SuppressWarnings({"deprecation", "removal"})
final class FinalizedUnderItsLock implements Program {
    static final class Session {
        private final Program program;
        int uses;

        Session(Program program) {
            this.program = program;
        }

        synchronized void use() {
            uses++;
        }

        @Override
        protected void finalize() {
            use();
            mark(program);
        }
    }

    public void run() throws Exception {
        start(() -> {
            Session session = new Session(this);
            start(session::use).join();
        }).join();
        Garbage.collect(this);
    }
}

/** Written by another thread after the object was made, and no order with the finalizer. */
@SuppressWarnings({"deprecation", "removal"})
final class WrittenBeforeFinalized implements Program {
    static final class Peer {
        private final Program program;
        int calls; // race: Peer.calls

        Peer(Program program) {
            this.program = program;
        }

        @Override
        protected void finalize() {
            calls++;
            mark(program);
        }
    }

    public void run() throws Exception {
        start(() -> {
            Peer peer = new Peer(this);
            start(() -> peer.calls++).join();
        }).join();
        Garbage.collect(this);
    }
}

/** Who counts what there is counts in the finalizer, too. */
@SuppressWarnings({"deprecation", "removal"})
final class LiveObjects implements Program {
    static int live; // race: LiveObjects.live

    static final class Node {
        private final Program program;

        Node(Program program) {
            this.program = program;
            live++;
        }

        @Override
        protected void finalize() {
            live--;
            mark(program);
        }
    }

    Node last;

    public void run() throws Exception {
        start(() -> {
            new Node(this);
            last = new Node(this);
        }).join();
        Garbage.collect(this);
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new OwnBuffer(), new SharedBuffer(), new SetByBoth(), new WeaklyHeld(), new SoftlyHeld(), new Enqueued(),
                new EnqueuedTooEarly(), new Cleaned(), new CleanedByHand(), new Pool(), new LockedPool(), new GivenBackTwice(),
                new UsedAfterReturn(), new SlotPool(), new Finalized(), new FinalizedUnderItsLock(), new WrittenBeforeFinalized(),
                new LiveObjects(), new ShutdownHook());
    }
}
