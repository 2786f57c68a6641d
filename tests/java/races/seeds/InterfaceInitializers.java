package seeds;

/** Initializers of interfaces, which run with a class below if the interface has a method that is neither abstract nor static (JVMS 5.5). */
public class InterfaceInitializers {
    static int byClass; // race
    static int bySubclass; // race
    static int byField; // race
    static int neverStarted;

    static Thread begun(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    interface WithDefault {
        Thread BEGUN = begun(() -> byClass++);

        default void nothing() {}
    }

    interface Above {
        Thread BEGUN = begun(() -> bySubclass++);

        default void nothing() {}
    }

    interface Below extends Above {
        void something();
    }

    interface Abstract {
        Thread BEGUN = begun(() -> byField++);

        void something();
    }

    interface Unused {
        Thread BEGUN = begun(() -> neverStarted++);

        void something();

        static void nothing() {}
    }

    static class First implements WithDefault {}

    abstract static class Second implements Below {}

    static class Third extends Second implements Unused {
        @Override
        public void something() {}
    }

    public static void main(String[] arguments) {
        new First();
        byClass++;
        new Third().something();
        bySubclass++;
        Abstract.BEGUN.getName();
        byField++;
        neverStarted++;
    }
}
