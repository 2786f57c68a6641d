package three;

import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;
import util.Threads;

/** JUnit 3 goes by names: of methods, or of what {@code suite} returns. */
public class NamedTest extends TestCase {
    private static int shared; // race: NamedTest.shared
    private static int alone;
    private int own; // race: NamedTest.own
    private int prepared;

    public NamedTest(String name) {
        super(name);
    }

    public static Test suite() {
        TestSuite suite = new TestSuite(NamedTest.class);
        suite.addTest(new RunsItself());
        return suite;
    }

    @Override
    protected void setUp() {
        prepared++;
        alone++;
    }

    public void testRacesOnAStaticField() {
        Threads.inTurns(() -> shared++, () -> shared++);
        alone += prepared;
    }

    public void testRacesOnTheTestObject() {
        Threads.inTurns(() -> own++, () -> own++);
    }

    /** A test without a method that JUnit would find. */
    static final class RunsItself extends TestCase {
        private int inside; // race: NamedTest$RunsItself.inside

        RunsItself() {
            super("itself");
        }

        @Override
        protected void runTest() {
            Threads.inTurns(() -> inside++, () -> inside++);
        }
    }
}
