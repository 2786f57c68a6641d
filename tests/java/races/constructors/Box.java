package constructors;

/** What constructors are given, and what they make. */
public class Box {
    private int handed; // race
    private int locked;

    public static class Maker {
        private int own;
        private int helped;

        public Maker(Box box) {
            box.handed++;
            synchronized (box) {
                box.locked++;
            }
            own = 1;
            help();
        }

        private void help() {
            helped++;
        }

        public int get() {
            return own + helped;
        }
    }

    public static class Leaking {
        static Leaking last;
        private int early;
        private int late; // race

        public Leaking() {
            early = 1;
            synchronized (Leaking.class) {
                last = this;
            }
            late = 1;
        }

        public static int get() {
            synchronized (Leaking.class) {
                return last.early + last.late;
            }
        }
    }

    /** Methods that its constructor calls before it hands out the object, and after that. */
    public static class Helped {
        static Helped last;
        private final Part part = new Part(this);
        private int before;
        private int deep;
        private int given;
        private int afterwards; // race
        private int both; // race
        private int called; // race

        public Helped() {
            before();
            fill(this);
            alsoCalled();
            onBothSides();
            synchronized (Helped.class) {
                last = this;
            }
            onBothSides();
            after();
        }

        private void before() {
            before = 1;
            deeper();
        }

        private void deeper() {
            deep = 1;
        }

        private static void fill(Helped helped) {
            helped.given = 1;
        }

        private void onBothSides() {
            both = 1;
        }

        private void after() {
            afterwards = 1;
        }

        private void alsoCalled() {
            called = 1;
        }

        public static int get() {
            synchronized (Helped.class) {
                last.alsoCalled();
                return last.before + last.deep + last.given + last.afterwards + last.both + last.called;
            }
        }
    }

    /** What leads to the object that keeps it: as long as that is nobody else's, nor is this. */
    private record Part(Helped whole) {}

    /** A method that its constructor calls hands out the object itself. */
    public static class Handing {
        static Handing last;
        private int after; // race
        private int other; // race

        public Handing() {
            handOut();
            set();
        }

        private void handOut() {
            synchronized (Handing.class) {
                last = this;
            }
            after = 1;
        }

        private void set() {
            other = 1;
        }

        public static int get() {
            synchronized (Handing.class) {
                return last.after + last.other;
            }
        }
    }

    /** Its constructor helps another object, which others have, by the method that helps its own. */
    public static class Helping {
        static Helping last;
        private int helping; // race

        public Helping() {
            set();
            synchronized (Helping.class) {
                if (last != null) {
                    last.set();
                }
                last = this;
            }
        }

        private void set() {
            helping++;
        }

        public static int get() {
            synchronized (Helping.class) {
                return last.helping;
            }
        }
    }
}
