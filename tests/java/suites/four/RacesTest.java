package four;

import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;
import util.Threads;

/** JUnit 4: tests come one after the other; what they race with are threads that they start. */
public class RacesTest {
    private static int shared; // race: RacesTest.shared
    private static int alone;
    private int own; // race: RacesTest.own
    private int prepared;
    private final Counter ruled = new Counter();

    @Rule
    public final TestRule counting = new Counting(ruled);

    @Before
    public void prepare() {
        prepared++;
        alone++;
    }

    @Test
    public void racesOnAStaticField() {
        Threads.inTurns(() -> shared++, () -> shared++);
        alone += prepared;
    }

    @Test
    public void racesOnTheTestObject() {
        Threads.inTurns(() -> own++, () -> own++);
    }

    @Test(expected = IllegalStateException.class)
    public void racesOnWhatARuleCounts() {
        Threads.inTurns(() -> ruled.times++, () -> ruled.times++);
        throw new IllegalStateException();
    }

    @After
    public void end() {
        prepared--;
    }

    static final class Counter {
        int times; // race: RacesTest$Counter.times
    }

    /** JUnit calls it around each test. */
    static final class Counting implements TestRule {
        private final Counter counter;
        private int begun;

        Counting(Counter counter) {
            this.counter = counter;
        }

        @Override
        public Statement apply(Statement base, Description description) {
            return new Statement() {
                @Override
                public void evaluate() throws Throwable {
                    begun++;
                    counter.times++;
                    base.evaluate();
                }
            };
        }
    }
}
