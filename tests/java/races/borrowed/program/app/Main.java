package app;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import kotlin.coroutines.jvm.internal.ContinuationImpl;
import lib.Action;
import lib.Box;
import lib.Cell;

/** What a library has is accessed by the program, or given back to it. */
public final class Main {
    static final class Account {
        int byAction;
        int byUpdater;
        int byList;
        int byHandle;
        static final VarHandle HANDLE;

        static {
            try {
                HANDLE = MethodHandles.lookup().findVarHandle(Account.class, "byHandle", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    /** As the compiler of Kotlin makes them: threads resume it one after the other. */
    static final class Step extends ContinuationImpl {
        int label;
        int resumed;

        @Override
        public void resume() {
            label++;
            resumed++;
        }
    }

    /** The collector puts it into its queue. */
    static final class Ghost extends PhantomReference<Object> {
        int seen;

        Ghost(Object referent, ReferenceQueue<Object> queue) {
            super(referent, queue);
        }
    }

    static void twice(Runnable task) throws InterruptedException {
        Thread one = new Thread(task);
        Thread other = new Thread(task);
        one.start();
        other.start();
        one.join();
        other.join();
    }

    public static void main(String[] args) throws InterruptedException {
        Cell cell = new Cell();
        twice(() -> cell.value += cell.size + cell.flag);
        Box<Account> box = new Box<>();
        box.set(new Account());
        twice(() -> {
            Action<Account> add = account -> account.byAction++;
            box.each(add);
        });
        twice(() -> box.get().byUpdater++);
        List<Account> all = new ArrayList<>(List.of(new Account())).stream().toList();
        twice(() -> all.get(0).byList++);
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Ghost ghost = new Ghost(new Object(), queue);
        Thread collects = new Thread(() -> {
            Reference<?> found = queue.poll();
            if (found != null) {
                ((Ghost) found).seen++;
            }
        });
        collects.start();
        ghost.seen++;
        collects.join();
        Step step = new Step();
        twice(step::resume);
        Account account = new Account();
        twice(() -> Account.HANDLE.set(account, (int) Account.HANDLE.get(account) + 1));
    }
}
