package seeds;

import java.util.ArrayList;
import java.util.List;

/** Each thread has its own object in a ThreadLocal, unless the object goes elsewhere too. */
public class PerThread {
    static class Values {
        int supplied;
        int initial;
        int given;
        int listed;
    }

    static class Stored {
        int stored; // race
    }

    static class Handed {
        int handed; // race
    }

    static class Inherited {
        int inherited; // race
    }

    static class Copied {
        int copied; // false-alarm: which values childValue makes anew is not looked at
    }

    static class Twice {
        int twice; // race
    }

    private static final ThreadLocal<Values> SUPPLIED = ThreadLocal.withInitial(Values::new);
    private static final ThreadLocal<Values> INITIAL = new ThreadLocal<>() {
        @Override
        protected Values initialValue() {
            return new Values();
        }
    };
    private static final ThreadLocal<Values> GIVEN = new ThreadLocal<>();
    private static final ThreadLocal<List<Values>> LISTED = ThreadLocal.withInitial(ArrayList::new);
    private static final ThreadLocal<Stored> STORED = ThreadLocal.withInitial(Stored::new);
    private static final ThreadLocal<Handed> HANDED = ThreadLocal.withInitial(Handed::new);
    private static final ThreadLocal<Inherited> INHERITED = new InheritableThreadLocal<>();
    private static final ThreadLocal<Copied> COPIED = new InheritableThreadLocal<>() {
        @Override
        protected Copied childValue(Copied value) {
            childValues++;
            return new Copied();
        }
    };
    private static final ThreadLocal<Twice> TWICE = new ThreadLocal<>();
    private static Stored last; // race
    private static int childValues; // race

    static void work() {
        SUPPLIED.get().supplied++;
        INITIAL.get().initial++;
        GIVEN.set(new Values());
        GIVEN.get().given++;
        LISTED.get().add(new Values());
        LISTED.get().get(0).listed++;
        STORED.get().stored++;
        last = STORED.get();
        INHERITED.get().inherited++;
        COPIED.get().copied++;
    }

    static void handOn() {
        Handed handed = HANDED.get();
        new Thread(() -> handed.handed++).start();
        HANDED.get().handed++;
    }

    static void useTwice() {
        Twice twice = new Twice();
        new Thread(() -> {
            TWICE.set(twice);
            TWICE.get().twice++;
        }).start();
        TWICE.set(twice);
        TWICE.get().twice++;
    }

    public static void main(String[] args) {
        INHERITED.set(new Inherited());
        COPIED.set(new Copied());
        Thread thread = new Thread(PerThread::work);
        thread.start();
        work();
        last.stored++;
        new Thread(() -> System.out.println(childValues)).start();
        new Thread(() -> System.out.println()).start();
        handOn();
        useTwice();
    }
}
