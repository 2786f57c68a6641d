package suite;

import junit.framework.TestCase;

/** JUnit 3 goes by names. */
public class Old extends TestCase {
    private static int racy; // race
    private int own;

    @Override
    protected void setUp() {
        own++;
    }

    public void testThread() {
        new Thread(() -> racy++).start();
        racy++;
        own++;
    }
}
