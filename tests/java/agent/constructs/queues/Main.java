package queues;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.*;
import java.util.function.Predicate;
import schedule.Program;

/** What goes through a queue of each program has a class of its own. */
abstract class Item {
    abstract int touch();
}

/** Producer and consumer. */
abstract class Passing implements Program {
    static final int ITEMS = 5;

    abstract Item make();

    abstract void put(Item item) throws Exception;

    abstract Item take() throws Exception;

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < ITEMS; i++) {
                Item item = make();
                item.touch();
                put(item);
            }
        }, () -> {
            for (int i = 0; i < ITEMS; i++) {
                Item taken = take();
                while (taken == null) {
                    Thread.onSpinWait();
                    taken = take();
                }
                taken.touch();
            }
        });
    }
}

final class Blocking extends Passing {
    static final class Task extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(2, true);

    Item make() {
        return new Task();
    }

    void put(Item item) throws Exception {
        while (!queue.offer(item, 1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
    }

    Item take() throws Exception {
        return queue.poll(1, TimeUnit.SECONDS);
    }
}

final class Priority extends Passing {
    static final class Job extends Item implements Comparable<Job> {
        int urgency = 3;

        @Override
        int touch() {
            return urgency++;
        }

        @Override
        public int compareTo(Job other) {
            return 0;
        }
    }

    final PriorityBlockingQueue<Item> queue = new PriorityBlockingQueue<>();

    Item make() {
        return new Job();
    }

    void put(Item item) {
        queue.put(item);
    }

    Item take() throws Exception {
        return queue.take();
    }
}

/** Its comparator reads what the items hold. */
final class Compared extends Passing {
    static final class Ranked extends Item {
        int rank;

        @Override
        int touch() {
            return rank++;
        }
    }

    final PriorityBlockingQueue<Item> queue = new PriorityBlockingQueue<>(4, Comparator.comparingInt(item -> ((Ranked) item).rank));

    Item make() {
        return new Ranked();
    }

    void put(Item item) {
        queue.add(item);
    }

    Item take() {
        return queue.poll();
    }
}

final class Delaying extends Passing {
    static final class Later extends Item implements Delayed {
        int uses;

        @Override
        int touch() {
            return uses++;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    final DelayQueue<Later> queue = new DelayQueue<>();

    Item make() {
        return new Later();
    }

    void put(Item item) {
        queue.put((Later) item);
    }

    Item take() throws Exception {
        return queue.take();
    }
}

final class Handing extends Passing {
    static final class Parcel extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final SynchronousQueue<Item> queue = new SynchronousQueue<>(true);

    Item make() {
        return new Parcel();
    }

    void put(Item item) throws Exception {
        while (!queue.offer(item, 1, TimeUnit.SECONDS)) {
            Thread.onSpinWait();
        }
    }

    Item take() {
        return queue.poll();
    }
}

final class Transferring extends Passing {
    static final class Cargo extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final TransferQueue<Item> queue = new LinkedTransferQueue<>();

    Item make() {
        return new Cargo();
    }

    void put(Item item) throws Exception {
        if (!queue.tryTransfer(item)) {
            queue.transfer(item);
        }
    }

    Item take() throws Exception {
        return queue.take();
    }
}

final class BothEnds extends Passing {
    static final class Card extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final BlockingDeque<Item> deque = new LinkedBlockingDeque<>();
    private boolean isFirst;
    private int taken;

    Item make() {
        return new Card();
    }

    void put(Item item) throws Exception {
        isFirst = !isFirst;
        if (isFirst) {
            deque.putFirst(item);
        } else {
            deque.offerLast(item);
        }
    }

    Item take() throws Exception {
        taken++;
        return taken % 2 == 0 ? deque.takeLast() : deque.pollFirst(1, TimeUnit.SECONDS);
    }
}

final class Stacked extends Passing {
    static final class Plate extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final Deque<Item> deque = new ConcurrentLinkedDeque<>();

    Item make() {
        return new Plate();
    }

    void put(Item item) {
        deque.push(item);
    }

    Item take() {
        return deque.isEmpty() ? null : deque.pop();
    }
}

/** Looks first, then removes what it has seen. */
final class PeekedAndRemoved extends Passing {
    static final class Coin extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final Queue<Item> queue = new ConcurrentLinkedQueue<>();

    Item make() {
        return new Coin();
    }

    void put(Item item) {
        queue.add(item);
    }

    Item take() {
        Item seen = queue.peek();
        return seen != null && queue.remove(seen) ? seen : null;
    }
}

/** remove() and element() come from AbstractQueue. */
final class RemovedOrThrown extends Passing {
    static final class Stamp extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final Queue<Item> queue = new LinkedBlockingQueue<>();

    Item make() {
        return new Stamp();
    }

    void put(Item item) {
        queue.add(item);
    }

    Item take() {
        try {
            queue.element();
            return queue.remove();
        } catch (java.util.NoSuchElementException none) {
            return null;
        }
    }
}

final class RemovedByIterator extends Passing {
    static final class Bead extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final Queue<Item> queue = new LinkedBlockingQueue<>();

    Item make() {
        return new Bead();
    }

    void put(Item item) {
        queue.add(item);
    }

    Item take() {
        Iterator<Item> iterator = queue.iterator();
        if (!iterator.hasNext()) {
            return null;
        }
        Item item = iterator.next();
        iterator.remove();
        return item;
    }
}

final class DrainedAll extends Passing {
    static final class Grain extends Item {
        int uses;

        @Override
        int touch() {
            return uses++;
        }
    }

    final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(8);
    final Deque<Item> drained = new ArrayDeque<>();

    Item make() {
        return new Grain();
    }

    void put(Item item) throws Exception {
        queue.put(item);
    }

    Item take() {
        queue.drainTo(drained, 2);
        return drained.poll();
    }
}

/** Streams over a queue that is complete. */
final class Streamed implements Program {
    static final class Drop {
        int uses;
    }

    final Queue<Drop> queue = new ConcurrentLinkedQueue<>();

    public void run() throws Exception {
        together(() -> {
            Drop drop = new Drop();
            drop.uses = 1;
            queue.offer(drop);
        }, () -> {
            while (queue.stream().mapToInt(drop -> drop.uses).sum() == 0) {
                Thread.onSpinWait();
            }
        });
    }
}

/** Adds many at once. */
final class AddedAll implements Program {
    static final class Seed {
        int uses;
    }

    final Queue<Seed> queue = new ConcurrentLinkedQueue<>();

    public void run() throws Exception {
        together(() -> {
            Seed a = new Seed();
            Seed b = new Seed();
            a.uses = 1;
            b.uses = 1;
            queue.addAll(List.of(a, b));
        }, () -> {
            for (int i = 0; i < 2; i++) {
                Seed seed = queue.poll();
                while (seed == null) {
                    seed = queue.poll();
                }
                seed.uses++;
            }
        });
    }
}

/** A queue that is made from a full list. */
final class MadeFrom implements Program {
    static final class Leaf {
        int uses;
    }

    volatile BlockingQueue<Leaf> queue;

    public void run() throws Exception {
        together(() -> {
            Leaf leaf = new Leaf();
            leaf.uses = 1;
            queue = new LinkedBlockingQueue<>(List.of(leaf));
        }, () -> {
            while (queue == null) {
                Thread.onSpinWait();
            }
            queue.take().uses++;
        });
    }
}

final class ChangedAfterPut implements Program {
    static final class Message {
        int length; // race: Message.length
    }

    final BlockingQueue<Message> queue = new LinkedBlockingQueue<>();

    public void run() throws Exception {
        together(() -> {
            Message message = new Message();
            queue.put(message);
            message.length = 1;
            mark(this);
        }, () -> {
            Message message = queue.take();
            until(this);
            message.length++;
        });
    }
}

/** Two look at the head, and none removes it. */
final class PeekedByTwo implements Program {
    static final class Head {
        int looks; // race: Head.looks
    }

    final BlockingQueue<Head> queue = new LinkedBlockingQueue<>();

    public void run() throws Exception {
        queue.add(new Head());
        together(() -> {
            queue.peek().looks++;
            mark(this);
        }, () -> {
            until(this);
            queue.peek().looks++;
        });
    }
}

/** The same task is put twice. */
final class PutTwice implements Program {
    static final class Ticket {
        int uses; // race: Ticket.uses
    }

    final BlockingQueue<Ticket> queue = new ArrayBlockingQueue<>(2);

    public void run() throws Exception {
        Ticket ticket = new Ticket();
        queue.put(ticket);
        queue.put(ticket);
        together(() -> {
            queue.take().uses++;
            mark(this);
        }, () -> {
            until(this);
            queue.take().uses++;
        });
    }
}

/** A list is no queue for two threads. */
final class ListAsQueue implements Program {
    final Queue<String> queue = new LinkedList<>(); // race: ListAsQueue.queue

    public void run() throws Exception {
        together(() -> {
            queue.add("a");
            mark(this);
            until(this, 2);
            queue.add("b");
        }, () -> {
            until(this);
            queue.poll();
            mark(this, 2);
        });
    }
}

/** The end is told by a last element. */
final class PoisonPill implements Program {
    private static final Object END = new Object();
    final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    int produced;

    public void run() throws Exception {
        together(() -> {
            for (int i = 0; i < 5; i++) {
                queue.put("x");
                produced++;
            }
            queue.put(END);
        }, () -> {
            Object taken = queue.take();
            while (taken != END) {
                taken = queue.take();
            }
            produced++;
        });
    }
}

/** The end is told, and the counter goes on. */
final class PoisonTooEarly implements Program {
    private static final Object END = new Object();
    final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    int produced; // race: PoisonTooEarly.produced

    public void run() throws Exception {
        together(() -> {
            queue.put(END);
            produced++;
            mark(this);
        }, () -> {
            while (queue.take() != END) {
                Thread.onSpinWait();
            }
            until(this);
            produced++;
        });
    }
}

/** Buffers go round: full ones one way, empty ones the other. */
final class Recycling implements Program {
    final BlockingQueue<byte[]> empty = new ArrayBlockingQueue<>(2);
    final BlockingQueue<byte[]> full = new ArrayBlockingQueue<>(2);

    public void run() throws Exception {
        empty.put(new byte[4]);
        empty.put(new byte[4]);
        together(() -> {
            for (int i = 0; i < 10; i++) {
                byte[] buffer = empty.take();
                buffer[0] = (byte) i;
                buffer[3] = (byte) i;
                full.put(buffer);
            }
        }, () -> {
            for (int i = 0; i < 10; i++) {
                byte[] buffer = full.take();
                if (buffer[0] != buffer[3]) {
                    System.out.println("odd");
                }
                buffer[0] = 0;
                empty.put(buffer);
            }
        });
    }
}

/** Gives the buffer back before it is done with it. */
final class RecycledTooEarly implements Program {
    static final class Slab {
        int fill; // race: Slab.fill
    }

    final BlockingQueue<Slab> empty = new ArrayBlockingQueue<>(1);

    public void run() throws Exception {
        empty.put(new Slab());
        together(() -> {
            Slab slab = empty.take();
            empty.put(slab);
            slab.fill++;
            mark(this);
        }, () -> {
            until(this);
            Slab slab = empty.take();
            slab.fill++;
        });
    }
}

/** The producers of one queue know nothing of each other. */
final class TwoProducers implements Program {
    final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    int sent; // race: TwoProducers.sent

    public void run() throws Exception {
        together(() -> {
            queue.put("a");
            sent++;
            mark(this);
        }, () -> {
            until(this);
            queue.put("b");
            sent++;
        });
    }
}

/** Nor do the consumers. */
final class TwoConsumers implements Program {
    final BlockingQueue<String> queue = new LinkedBlockingQueue<>(List.of("a", "b"));
    int received; // race: TwoConsumers.received

    public void run() throws Exception {
        together(() -> {
            queue.take();
            received++;
            mark(this);
        }, () -> {
            until(this);
            queue.take();
            received++;
        });
    }
}

/** The same with a queue in an array, whose counter both change. */
final class TwoConsumersOfArray implements Program {
    final BlockingQueue<String> queue = new ArrayBlockingQueue<>(2, false, List.of("a", "b"));
    int received; // race: TwoConsumersOfArray.received

    public void run() throws Exception {
        together(() -> {
            queue.take();
            received++;
            mark(this);
        }, () -> {
            until(this);
            queue.take();
            received++;
        });
    }
}

final class TwoConsumersOfLinks implements Program {
    final Queue<String> queue = new ConcurrentLinkedQueue<>(List.of("a", "b"));
    final Queue<String> deque = new ConcurrentLinkedDeque<>(List.of("a", "b"));
    final Queue<String> transfer = new LinkedTransferQueue<>(List.of("a", "b"));
    int received; // race: TwoConsumersOfLinks.received
    int receivedOfDeque; // race: TwoConsumersOfLinks.receivedOfDeque
    int receivedOfTransfer; // race: TwoConsumersOfLinks.receivedOfTransfer

    void take() {
        queue.poll();
        received++;
    }

    void takeOfDeque() {
        deque.poll();
        receivedOfDeque++;
    }

    void takeOfTransfer() {
        transfer.poll();
        receivedOfTransfer++;
    }

    public void run() throws Exception {
        together(() -> {
            take();
            mark(this);
        }, () -> {
            until(this);
            take();
        });
        together(() -> {
            takeOfDeque();
            mark(this, 2);
        }, () -> {
            until(this, 2);
            takeOfDeque();
        });
        together(() -> {
            takeOfTransfer();
            mark(this, 3);
        }, () -> {
            until(this, 3);
            takeOfTransfer();
        });
    }
}

/** A list of tasks is handed over as one element, with its contents. */
final class Batches implements Program {
    final BlockingQueue<List<String>> queue = new LinkedBlockingQueue<>();

    public void run() throws Exception {
        together(() -> {
            List<String> batch = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                batch.add("x");
                if (batch.size() == 2) {
                    queue.put(batch);
                    batch = new ArrayList<>();
                }
            }
        }, () -> {
            for (int i = 0; i < 3; i++) {
                List<String> batch = queue.take();
                batch.add("last");
                batch.clear();
            }
        });
    }
}

/** The batch is cleared and used again while the other still reads it. */
final class BatchReused implements Program {
    final BlockingQueue<List<String>> queue = new LinkedBlockingQueue<>();
    final List<String> batch = new ArrayList<>(); // race: BatchReused.batch

    public void run() throws Exception {
        together(() -> {
            batch.add("x");
            queue.put(batch);
            until(this);
            batch.clear();
        }, () -> {
            queue.take().size();
            mark(this);
        });
    }
}

/** A word is handed over, by the queue in which it is. */
final class Words implements Program {
    final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    final Queue<String> polled = new ConcurrentLinkedQueue<>();
    final LinkedBlockingDeque<Integer> numbers = new LinkedBlockingDeque<>();
    int said;
    int asked;
    int counted;

    public void run() throws Exception {
        together(() -> {
            said = 1;
            queue.put("go");
            asked = 1;
            polled.add("go");
            counted = 1;
            numbers.addAll(List.of(1, 2));
        }, () -> {
            queue.take();
            said++;
            while (!polled.contains("go")) {
                Thread.onSpinWait();
            }
            asked++;
            numbers.takeLast();
            counted++;
        });
    }
}

/** The same word in a queue that nobody else has. */
final class WordOfAnother implements Program {
    final BlockingQueue<String> mine = new LinkedBlockingQueue<>();
    final BlockingQueue<String> yours = new LinkedBlockingQueue<>();
    int said; // race: WordOfAnother.said

    public void run() throws Exception {
        yours.put("go");
        together(() -> {
            said = 1;
            mine.put("go");
            mark(this);
        }, () -> {
            until(this);
            yours.take();
            said++;
        });
    }
}

/** What one writes into a pipe, the other reads. */
final class Pipe implements Program {
    final PipedOutputStream sink = new PipedOutputStream();
    final PipedWriter writer = new PipedWriter();
    int piped;
    int written;
    int late; // race: Pipe.late

    public void run() throws Exception {
        PipedInputStream source = new PipedInputStream(sink);
        PipedReader reader = new PipedReader(writer);
        together(() -> {
            piped = 1;
            sink.write(1);
            sink.flush();
            written = 1;
            writer.write(2);
            writer.flush();
            late = 1;
            mark(this);
            until(this, 2);
        }, () -> {
            source.read();
            piped++;
            reader.read();
            written++;
            until(this);
            late++;
            mark(this, 2);
        });
    }
}

/** Whoever finds the queue empty, or with room, comes after who has taken the last element. */
final class PolledEmpty implements Program {
    private final BlockingQueue<Object> queue;
    private final Predicate<BlockingQueue<Object>> isEmpty;
    private final int step;
    private int data;

    PolledEmpty(int step, BlockingQueue<Object> queue, Predicate<BlockingQueue<Object>> isEmpty) {
        this.step = step;
        this.queue = queue;
        this.isEmpty = isEmpty;
    }

    public void run() throws Exception {
        queue.add("a");
        together(() -> {
            data = 1;
            queue.take();
            mark(this, step);
        }, () -> {
            until(this, step);
            while (!isEmpty.test(queue)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** Both find it empty, which was nobody's doing. */
final class EmptyFromTheBeginning implements Program {
    private final BlockingQueue<Object> queue = new ArrayBlockingQueue<>(2);
    private int data; // race: EmptyFromTheBeginning.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            queue.poll();
            mark(this);
        }, () -> {
            until(this);
            if (queue.isEmpty() && queue.poll() == null) {
                data++;
            }
        });
    }
}

/** No lock: an element goes at once, before anything could be told of it. */
final class PolledEmptyOfLinks implements Program {
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    private int data; // false-alarm: PolledEmptyOfLinks.data -- of queues without locks it is not known who has taken the last element

    public void run() throws Exception {
        queue.add("a");
        together(() -> {
            data = 1;
            queue.poll();
            mark(this);
        }, () -> {
            until(this);
            if (queue.isEmpty()) {
                data++;
            }
        });
    }
}

/** Whoever finds that there is an element comes after who has put it there, and does not take it. */
final class FoundOfLinks implements Program {
    private final Queue<Object> queue;
    private final Predicate<Queue<Object>> isEmpty;
    private int data;

    FoundOfLinks(Queue<Object> queue, Predicate<Queue<Object>> isEmpty) {
        this.queue = queue;
        this.isEmpty = isEmpty;
    }

    public void run() throws Exception {
        together(() -> {
            data = 1;
            queue.add("a");
        }, () -> {
            while (isEmpty.test(queue)) {
                Thread.onSpinWait();
            }
            data++;
        });
    }
}

/** What is done after an element is put there is not known to who finds it. */
final class FoundTooEarly implements Program {
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    private int data; // race: FoundTooEarly.data

    public void run() throws Exception {
        together(() -> {
            queue.add("a");
            data = 1;
            mark(this);
        }, () -> {
            until(this);
            if (!queue.isEmpty()) {
                data++;
            }
        });
    }
}

/** Both find it empty, which was nobody's doing. */
final class EmptyOfLinks implements Program {
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    private int data; // race: EmptyOfLinks.data

    public void run() throws Exception {
        together(() -> {
            data = 1;
            queue.poll();
            mark(this);
        }, () -> {
            until(this);
            if (queue.isEmpty() && queue.size() == 0) {
                data++;
            }
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Blocking(), new Priority(), new Compared(), new Delaying(), new Handing(), new Transferring(), new BothEnds(),
                new Stacked(), new PeekedAndRemoved(), new RemovedOrThrown(), new RemovedByIterator(), new DrainedAll(), new Streamed(),
                new AddedAll(), new MadeFrom(), new ChangedAfterPut(), new PeekedByTwo(), new PutTwice(), new ListAsQueue(), new PoisonPill(),
                new PoisonTooEarly(), new Recycling(), new RecycledTooEarly(), new TwoProducers(), new TwoConsumers(),
                new TwoConsumersOfArray(), new TwoConsumersOfLinks(), new Batches(), new BatchReused(), new Words(),
                new WordOfAnother(), new Pipe(),
                new PolledEmpty(1, new ArrayBlockingQueue<>(1), Queue::isEmpty), new PolledEmpty(2, new LinkedBlockingQueue<>(1), queue -> queue.peek() == null), new PolledEmpty(3, new LinkedBlockingDeque<>(1), queue -> queue.remainingCapacity() == 1), new PolledEmpty(4, new PriorityBlockingQueue<>(), queue -> queue.poll() == null), new EmptyFromTheBeginning(), new PolledEmptyOfLinks(),
                new FoundOfLinks(new ConcurrentLinkedQueue<>(), Queue::isEmpty), new FoundOfLinks(new LinkedTransferQueue<>(), Queue::isEmpty),
                new FoundOfLinks(new ConcurrentLinkedDeque<>(), queue -> queue.size() == 0), new FoundTooEarly(), new EmptyOfLinks());
    }
}
