package alone;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Copies that a superclass makes are new, if it lets them out to nobody. */
public class Cloning {
    public static class Base implements Cloneable {
        private int counted;

        @Override
        public Base clone() {
            try {
                Base copy = (Base) super.clone();
                copy.counted = 0;
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        public synchronized int count() {
            return counted++;
        }
    }

    public static class Derived extends Base {
        private int ofDerived;

        @Override
        public Derived clone() {
            Derived copy = (Derived) super.clone();
            copy.ofDerived = 0;
            return copy;
        }

        public synchronized int change() {
            return ofDerived++;
        }
    }

    public static class Table extends HashMap<String, String> {
        private int ofTable;

        @Override
        public Table clone() {
            Table copy = (Table) super.clone();
            copy.ofTable = 0;
            return copy;
        }

        public synchronized int change() {
            return ofTable++;
        }
    }

    /** Keeps its copies where others find them. */
    public static class Registered implements Cloneable {
        private static final List<Registered> ALL = new ArrayList<>();

        @Override
        public Registered clone() {
            try {
                Registered copy = (Registered) super.clone();
                synchronized (ALL) {
                    ALL.add(copy);
                }
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        public static Registered last() {
            synchronized (ALL) {
                return ALL.get(ALL.size() - 1);
            }
        }
    }

    public static class OfRegistered extends Registered {
        private int ofRegistered; // race

        @Override
        public OfRegistered clone() {
            OfRegistered copy = (OfRegistered) super.clone();
            copy.ofRegistered = 0;
            return copy;
        }

        public synchronized int change() {
            return ofRegistered++;
        }
    }

    /** Gives itself out instead of a copy now and then. */
    public static class Lazy implements Cloneable {
        private boolean isCopied;

        @Override
        public Lazy clone() {
            try {
                return isCopied ? this : (Lazy) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static class OfLazy extends Lazy {
        private int ofLazy; // race

        @Override
        public OfLazy clone() {
            OfLazy copy = (OfLazy) super.clone();
            copy.ofLazy = 0;
            return copy;
        }

        public synchronized int change() {
            return ofLazy++;
        }
    }
}
