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
}
