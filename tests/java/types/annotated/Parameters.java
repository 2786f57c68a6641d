package annotated;

import jrace.annotations.GuardedBy;
import jrace.annotations.LockArgs;
import jrace.annotations.LockParam;
import jrace.annotations.Requires;

/** Lock parameters: a class whose objects others own names the owner's lock. */
public class Parameters {
    static class Books {
        @LockArgs("this") private Book first; // type: guarded this

        synchronized void put(int n) {
            Book book = new Book();
            book.next = first;
            first = book;
            first.read(n);
        }

        void leave() {
            Book book;
            synchronized (this) {
                book = first;
            }
            book.read(1); // error: unheld-call
            book.pages = 1; // error: unguarded-access
        }
    }

    @LockParam("shelf")
    static class Book {
        @GuardedBy("shelf") int pages; // type: unsafe
        @LockArgs("shelf") Book next; // type: unique

        @Requires("shelf")
        void read(int n) {
            pages += n;
        }
    }

    /** A lock object of the owner. */
    static class Files {
        private final Object lock = new Object(); // type: final
        @LockArgs("lock") private File first; // type: guarded this.lock

        void put() {
            synchronized (lock) {
                first = new File();
                first.size = 1;
            }
        }
    }

    @LockParam("l")
    static class File {
        @GuardedBy("l") int size; // type: guarded owner.lock
    }

    /** The objects leak, so that there is nothing that the parameter could stand for. */
    static class Leaking {
        private Leaked first; // type: guarded this

        synchronized void put() {
            first = new Leaked();
            first.n++;
            System.out.println(first); // error: no-owner
        }
    }

    @LockParam("l")
    static class Leaked {
        @GuardedBy("l") int n; // type: unsafe
    }

    /** Arguments that are no locks, or not for this class, or not the same. */
    static class Wrong {
        private Object lock = new Object(); // type: unique
        @LockArgs("lock") private Kept changing; // type: unique error: lock-argument
        @LockArgs("this") private String text; // type: unique error: lock-argument
    }

    static class First {
        @LockArgs("this") private Kept first; // type: guarded this

        synchronized void put() {
            first = new Kept();
            first.n++;
        }
    }

    static class Other {
        private final Object lock = new Object(); // type: final
        @LockArgs("lock") private Kept first; // type: guarded this.lock error: lock-argument

        void put() {
            synchronized (lock) {
                first = new Kept();
                first.n++;
            }
        }
    }

    @LockParam("l")
    static class Kept {
        int n; // type: unsafe
        @LockArgs("this") private Kept next; // type: unique error: lock-argument
    }

    public static void main(String[] arguments) {
        Books books = new Books();
        Files files = new Files();
        Leaking leaking = new Leaking();
        First right = new First();
        Other other = new Other();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                books.put(1);
                books.leave();
                files.put();
                leaking.put();
                right.put();
                other.put();
            }).start();
        }
    }
}
