package suite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests run one after the other, and what they start runs beside them. */
public class Suite {
    private int prepared;
    private static int shared;
    private static int racy; // race
    private static int untested;
    private static int between; // race

    @BeforeEach
    void prepare() {
        prepared++;
        shared++;
    }

    @Test
    void alone() {
        prepared++;
        shared++;
        between++;
    }

    /** Another test may have run before, and what it has started may run still. */
    @Test
    void after() {
        new Thread(() -> System.out.println(between)).start();
    }

    @Test
    void together() throws InterruptedException {
        shared++;
        Thread thread = new Thread(() -> racy++);
        thread.start();
        racy++;
        thread.join();
    }

    /** Nobody runs this. */
    void helper() {
        new Thread(() -> untested++).start();
        untested++;
    }
}
