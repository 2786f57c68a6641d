package seeds;

/** A class initializer changes another class's variables in whichever thread comes first. */
public class Initialized {
    static int elsewhere; // race
    static int byTwo; // race: two initializers, each in a thread of its own
    static int once;
    static int guarded;
    static int before;
    static int prepared;
    static int optional;
    static int afterwards;
    static int inside; // race: the initializer goes on after it has started a thread
    static int waiting;
    static final Box BOX = new Box();

    static final class Box {
        int value; // race
    }

    static final class Late {
        static int own;
        static final Box MADE = new Box();

        static {
            elsewhere++;
            byTwo++;
            once++;
            BOX.value++;
            MADE.value++;
            afterwards++;
            synchronized (BOX) {
                guarded++;
            }
            again();
            own = 1;
        }

        static void again() {
            once++;
            own = 2;
        }
    }

    static final class Later {
        static int own;

        static {
            byTwo++;
            own = 1;
        }
    }

    /** The main thread uses it first. */
    static final class Early {
        static int own;

        static {
            before++;
        }
    }

    /** The main thread uses it first, in a method. */
    static final class Prepared {
        static int own;

        static {
            prepared++;
        }
    }

    /** The main thread uses it first, if at all. */
    static final class Optional {
        static int own;

        static {
            optional++;
        }
    }

    /** Another thread finds it in the middle of its initialization. */
    static final class Starter {
        static int own;

        static {
            new Worker().start();
            inside++;
            // A static method of a class waits for its initialization.
            new Thread(() -> waiting++).start();
            waiting++;
        }
    }

    static final class Worker extends Thread {
        @Override
        public void run() {
            inside++;
        }
    }

    static final class Part {
        int toThread; // race
        int toStatic; // race
        int toObject; // race
        int inSlot; // race
        int toOwn;
        Part next; // race
    }

    static volatile Part given;
    static final Part SLOT = new Part();

    /** Others need not wait for what they have from elsewhere. */
    static final class Giver {
        static int own;
        static final Part KEPT = new Part();

        static {
            Part part = new Part();
            new Thread(new User(part)).start();
            part.toThread++;
            Part other = new Part();
            given = other;
            other.toStatic++;
            Part third = new Part();
            SLOT.next = third;
            third.toObject++;
            Part chain = new Part();
            third.next = chain;
            chain.inSlot++;
            KEPT.next = new Part();
            KEPT.next.toOwn++;
            own = 1;
        }
    }

    record User(Part part) implements Runnable {
        @Override
        public void run() {
            part.toThread++;
        }
    }

    static void use() {
        given.toStatic++;
        SLOT.next.toObject++;
        SLOT.next.next.inSlot++;
    }

    static void prepare() {
        Prepared.own = 1;
    }

    public static void main(String[] args) {
        Early.own++;
        prepare();
        if (args.length > 0) {
            Optional.own++;
        }
        new Thread(() -> {
            System.out.println(Late.own + Early.own + Prepared.own);
            afterwards++;
            before++;
            prepared++;
            optional++;
        }).start();
        new Thread(() -> System.out.println(Later.own + Starter.own)).start();
        new Thread(() -> System.out.println(Giver.own + Giver.KEPT.next.toOwn)).start();
        use();
        elsewhere++;
        BOX.value++;
        System.out.println(Late.MADE.value);
        synchronized (BOX) {
            guarded++;
        }
    }
}
