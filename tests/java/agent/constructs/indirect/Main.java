package indirect;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import schedule.Program;

/** What a method reference does to the elements of an array. */
final class FilledByReference implements Program {
    private final int[] cells = new int[1]; // race: FilledByReference.cells[]

    public void run() throws Exception {
        BiConsumer<int[], Integer> fill = Arrays::fill;
        together(() -> {
            fill.accept(cells, 1);
            mark(this);
        }, () -> {
            until(this);
            int cell = cells[0];
        });
    }
}

final class HashedByReference implements Program {
    private final int[] cells = new int[1]; // race: HashedByReference.cells[]

    public void run() throws Exception {
        ToIntFunction<int[]> hash = Arrays::hashCode;
        together(() -> {
            int code = hash.applyAsInt(cells);
            mark(this);
        }, () -> {
            until(this);
            cells[0] = 1;
        });
    }
}

/** An element that reflection writes. */
final class SetByReflection implements Program {
    private final int[] cells = new int[1]; // race: SetByReflection.cells[]

    public void run() throws Exception {
        together(() -> {
            Array.setInt(cells, 0, 3);
            mark(this);
        }, () -> {
            until(this);
            int cell = cells[0];
        });
    }
}

final class SetByHandle implements Program {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(int[].class);
    private final int[] cells = new int[1]; // race: SetByHandle.cells[]

    public void run() throws Exception {
        together(() -> {
            CELLS.set(cells, 0, 3);
            mark(this);
        }, () -> {
            until(this);
            int cell = cells[0];
        });
    }
}

/** What reflection finds in an array. */
final class FoundByReflection implements Program {
    static final class Box {
        int value; // race: Box.value
    }

    public void run() throws Exception {
        Box box = new Box();
        Box other = new Box();
        Object[] boxes = {box};
        together(() -> {
            Box found = boxes.length > 0 ? (Box) Array.get(boxes, 0) : other;
            found.value++;
            mark(this);
        }, () -> {
            until(this);
            box.value++;
        });
    }
}

/** The elements of a list that a stream has made. */
final class InStreamList implements Program {
    static final class Account {
        int balance; // race: Account.balance
    }

    public void run() throws Exception {
        Account account = new Account();
        List<Account> all = new ArrayList<>(List.of(account)).stream().toList();
        List<Account> none = List.of(new Account());
        together(() -> {
            for (Account each : all.isEmpty() ? none : all) {
                each.balance++;
            }
            mark(this);
        }, () -> {
            until(this);
            account.balance++;
        });
    }
}

/** Adds twice under a lock, or so it seems. */
interface Adding extends Program {
    void add();

    @Override
    default void run() throws Exception {
        together(() -> {
            add();
            mark(this);
        }, () -> {
            until(this);
            add();
        });
    }
}

/** A lock that a method reference gives back. */
final class UnlockedByReference implements Adding {
    private final ReentrantLock lock = new ReentrantLock();
    private int count; // race: UnlockedByReference.count

    @Override
    public void add() {
        lock.lock();
        Runnable unlock = lock::unlock;
        unlock.run();
        count++;
    }
}

final class UnlockedForEach implements Adding {
    private final ReentrantLock lock = new ReentrantLock();
    private int count; // race: UnlockedForEach.count

    @Override
    public void add() {
        lock.lock();
        Optional.of(lock).ifPresent(Lock::unlock);
        count++;
    }
}

final class UnlockedAtTheEnd implements Adding {
    private final ReentrantLock lock = new ReentrantLock();
    private int count; // race: UnlockedAtTheEnd.count

    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private Held held() {
        lock.lock();
        return lock::unlock;
    }

    @Override
    @SuppressWarnings("try")
    public void add() {
        try (Held held = held()) {
            count++;
        }
        count++;
    }
}

/** A lock that a class initializer gives back. */
final class UnlockedByInitializer implements Adding {
    static final ReentrantLock LOCK = new ReentrantLock();
    private int count; // race: UnlockedByInitializer.count

    static final class Late {
        static int value = 3;

        static {
            LOCK.unlock();
        }
    }

    @Override
    public void add() {
        LOCK.lock();
        int value = Late.value;
        count++;
        if (LOCK.isHeldByCurrentThread()) {
            LOCK.unlock();
        }
    }
}

/** A lock that gives itself back. */
final class UnlockedAtOnce implements Adding {
    static final class Sieve extends ReentrantLock {
        private static final long serialVersionUID = 1;

        @Override
        public void lock() {
            super.lock();
            super.unlock();
        }

        @Override
        public void unlock() {}
    }

    private final Sieve lock = new Sieve();
    private int count; // race: UnlockedAtOnce.count

    @Override
    public void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }
}

/** The same by the first of the methods that it calls, of which it calls another one twice. */
final class UnlockedByHelper implements Adding {
    static final class Sieve extends ReentrantLock {
        private static final long serialVersionUID = 1;
        private int times; // race: Sieve.times

        @Override
        public void lock() {
            super.lock();
            giveBack();
            count();
            count();
        }

        private void giveBack() {
            super.unlock();
        }

        private void count() {
            times = 1;
        }

        @Override
        public void unlock() {}
    }

    private final ReentrantLock lock = new Sieve();
    private int count; // race: UnlockedByHelper.count

    @Override
    public void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }
}

/** The same, but that the lock is kept. */
final class LockThatCounts implements Adding {
    static final class Counted extends ReentrantLock {
        private static final long serialVersionUID = 1;
        private int times;

        @Override
        public void lock() {
            super.lock();
            times++;
        }
    }

    private final Counted lock = new Counted();
    private int count;

    @Override
    public void add() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new FilledByReference(), new HashedByReference(), new SetByReflection(), new SetByHandle(), new FoundByReflection(), new InStreamList(),
                new UnlockedByReference(), new UnlockedForEach(), new UnlockedAtTheEnd(), new UnlockedByInitializer(), new UnlockedAtOnce(), new UnlockedByHelper(), new LockThatCounts());
    }
}
