package pooled_older;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;
import pooled.Workers;

/** JUnit 4, of which each test has a parameter. */
@RunWith(Parameterized.class)
public class FourTest {
    static int four; // test: FourTest.races[0]
    static int next; // test: FourTest.racesNext[1]
    private final int number;

    public FourTest(int number) {
        this.number = number;
    }

    @Parameters
    public static Object[] numbers() {
        return new Object[] {0, 1};
    }

    @Test
    public void races() throws Exception {
        if (number == 0) {
            Workers.inPool(() -> four++);
        }
    }

    @Test(timeout = 60_000)
    public void racesNext() throws Exception {
        if (number == 1) {
            Workers.queued(() -> next++);
        }
    }
}
