package statics;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.concurrent.CountDownLatch;

class Base {
    static int inherited; // race: Base.inherited
    static int shadowed;
    static final Object LOCK = new Object();
    static volatile int signal;
    static final int COMPUTED = Integer.parseInt("3");
    static long wide; // race: Base.wide
}

class Sub extends Base {
    static int shadowed; // race: Sub.shadowed
}

interface Constants {
    int[] ELEMENTS = {1, 2, 3}; // race: Constants.ELEMENTS[]
    int VALUE = Main.say("Constants are initialized");
}

final class Implements implements Constants {
    static int value() {
        return VALUE;
    }
}

/** Only one thread initializes; the others wait for it. */
final class Once {
    static int runs;
    static int set; // ordered: Once.set -- the initializer's write comes before all others

    static {
        Main.say("Once is initialized");
        runs++;
        set = runs;
    }
}

/** Nothing runs when this class is initialized, but initialized it has to be. */
final class Lazy {
    static int thrice; // race: Lazy.thrice
}

/** The access that initializes the class is an access like any other. */
final class Late {
    static int twice; // race: Late.twice
}

/** The site that initializes the class is checked ever after. */
final class Fresh {
    static int value; // race: Fresh.value
}

final class Fails {
    static int value = Main.fail();
}

/** Reading a constant initializes nothing; reading an array through a subclass initializes only its declaring class. */
final class Untouched {
    static final int CONSTANT = 5;

    static {
        Main.say("Untouched must not be initialized");
    }
}

class Declares {
    static int counter; // race: Declares.counter

    static {
        Main.say("Declares is initialized");
    }
}

final class Inherits extends Declares {
    static {
        Main.say("Inherits must not be initialized");
    }
}

/** Uses itself while it is being initialized. */
final class Recursive {
    static int before = 1;
    static final Recursive INSTANCE = new Recursive();
    static int after = INSTANCE.seen + 1;
    final int seen;

    Recursive() {
        seen = before + after;
    }
}

public final class Main {
    static int say(String text) {
        System.out.println(text);
        return text.length();
    }

    static int fail() {
        throw new IllegalStateException("Fails cannot be initialized");
    }

    static void initialize() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                if (Once.runs != 1) {
                    System.out.println("initialized " + Once.runs + " times");
                }
            });
            threads[i].start();
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    static void readFresh() {
        System.out.println("fresh " + Fresh.value);
    }

    static void writeFresh() {
        synchronized (Main.class) {
            Fresh.value = 3;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        thrice(() -> {
            Base.inherited++;
            Sub.inherited++;
            synchronized (Base.LOCK) {
                Base.shadowed++;
            }
            Sub.shadowed++;
            Base.signal += Base.COMPUTED;
            Sub.wide++;
            Inherits.counter++;
            Lazy.thrice++;
        });
        initialize();
        each(() -> Once.set++);
        each(() -> Late.twice = 1, () -> Late.twice = 2);
        each(Main::readFresh, Main::writeFresh, Main::writeFresh, Main::readFresh);
        thrice(() -> System.out.println(Implements.value()));
        thrice(() -> Constants.ELEMENTS[0]++);
        System.out.println(Untouched.CONSTANT);
        each(() -> System.out.println(Recursive.after));
        thrice(() -> {
            try {
                System.out.println(Fails.value);
            } catch (ExceptionInInitializerError expected) {
                System.out.println(expected.getCause().getMessage());
            } catch (NoClassDefFoundError expected) {
                System.out.println(expected.getMessage());
            }
        });
    }
}
