package pooled_older;

import junit.framework.TestCase;
import pooled.Workers;

/** JUnit 3. */
public class ThreeTest extends TestCase {
    static int three; // test: ThreeTest.testRaces
    static int next; // test: ThreeTest.testRacesNext

    public void testRaces() throws Exception {
        Workers.inPool(() -> three++);
    }

    public void testRacesNext() throws Exception {
        Workers.inPool(() -> next++);
    }
}
