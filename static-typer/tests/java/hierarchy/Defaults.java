/** Methods of interfaces. */
interface Defaults {
    interface Top {
        int TOP = Count.next(1);

        default int run() {
            return 100;
        }

        default int again() {
            return run() + 1000;
        }

        int open();
    }

    interface Left extends Top {
        int LEFT = Count.next(2);

        @Override
        default int run() {
            return 200 + Top.super.run();
        }

        @Override
        default int open() {
            return 201;
        }
    }

    interface Right extends Top {
        default int right() {
            return 250;
        }
    }

    /** Takes an implementation away. */
    interface Abstract extends Left {
        @Override
        int run();

        Object clone();
    }

    interface Cloned extends Abstract {}

    interface Generic<T> {
        T give(T t);

        default T twice(T t) {
            return give(give(t));
        }
    }

    class Count {
        static int count;

        static int next(int by) {
            count += by;
            return count;
        }
    }

    class Diamond implements Right, Left {}

    class Repeated extends Diamond implements Top, Right {}

    class Both implements Left, Right {
        @Override
        public int run() {
            return Left.super.run() + Right.super.right() * 10000;
        }
    }

    class Declaring implements Top {
        @Override
        public int run() {
            return 300;
        }

        @Override
        public int open() {
            return 301;
        }
    }

    /** The superclass's method comes before the interface's more specific one. */
    class Declared extends Declaring implements Left {}

    abstract class Partial implements Top {
        public abstract int run();

        int partial() {
            return run() + open();
        }
    }

    class Whole extends Partial implements Left {
        @Override
        public int run() {
            return 400;
        }
    }

    class Secret {
        private int run() {
            return 500;
        }

        static int secret(Secret secret) {
            return secret.run();
        }
    }

    /** A private method of the superclass is not inherited: the interface's is. */
    class Open extends Secret implements Left {}

    class Copied implements Cloned, Generic<int[]> {
        int copies;

        @Override
        public int run() {
            return 600;
        }

        @Override
        public Copied clone() {
            copies++;
            return this;
        }

        @Override
        public int[] give(int[] t) {
            t[0]++;
            return t;
        }
    }

    class Fields implements Left {
        int run = LEFT;
    }

    class MoreFields extends Fields {
        static int run = 7;

        int runs() {
            return run + super.run * 10 + TOP * 100;
        }
    }
}
