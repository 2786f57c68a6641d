package alone;

/** Clients name a public class only if they can name the one that it stands in. */
public class Nested {
    private static class Hidden {
        private final Entry only = new Entry();

        /** Nobody outside can make one. */
        public class Steps {
            private int taken;

            public Entry next() {
                taken++;
                return only;
            }
        }

        /** Clients have it as what it implements. */
        public static class Task implements Runnable {
            private int runs; // race

            @Override
            public void run() {
                runs++;
            }
        }
    }

    static class Entry {
        private final int value = 1;

        public int value() {
            return value;
        }
    }

    private final Hidden hidden = new Hidden();

    public Runnable task() {
        return new Hidden.Task();
    }

    public int get() {
        return hidden.new Steps().next().value();
    }

    /** Clients name what stands in this by a class that extends it. */
    static class Base {
        public static class Inherited {
            private int changed; // race

            public int change() {
                return changed++;
            }
        }
    }

    public static class Derived extends Base {}
}
