package given;

import java.util.function.Supplier;

/** Ways by which clients come to objects that are not followed: their races are missed. */
public class Missed {
    private static int supplied; // missed: clients do not call what implements a type of the JDK that they only get
    private static int thrown; // missed: what an exception holds is not taken out
    private static int overridden; // missed: clients implement interfaces, and override nothing else

    private static final class Supplied implements Runnable {
        @Override
        public void run() {
            supplied++;
        }
    }

    private static final class Thrown implements Runnable {
        @Override
        public void run() {
            thrown++;
        }
    }

    private static final class Overridden implements Runnable {
        @Override
        public void run() {
            overridden++;
        }
    }

    public static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        public final transient Runnable task;

        Failure(Runnable task) {
            this.task = task;
        }
    }

    public static class Adapter {
        public void on(Runnable task) {
        }
    }

    public void execute(Runnable task) {
        task.run();
    }

    public Supplier<Runnable> supplied() {
        Runnable made = new Supplied();
        return () -> made;
    }

    public void thrown() {
        throw new Failure(new Thrown());
    }

    public void overridden(Adapter adapter) {
        adapter.on(new Overridden());
    }
}
