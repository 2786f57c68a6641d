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
    }

    static class Entry {
        private final int value = 1;

        public int value() {
            return value;
        }
    }

    private final Hidden hidden = new Hidden();

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
