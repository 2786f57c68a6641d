package pooled_older;

import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;
import pooled.Workers;

/** TestNG. */
public class NgTest {
    static int prepared; // test: NgTest.prepare
    static int races; // test: NgTest.races
    static int next; // test: NgTest.racesNext
    private static boolean isPrepared;

    @BeforeMethod
    public void prepare() throws Exception {
        if (!isPrepared) {
            isPrepared = true;
            Workers.inPool(() -> prepared++);
        }
    }

    @Test
    public void races() throws Exception {
        Workers.inPool(() -> races++);
    }

    @Test(timeOut = 60_000)
    public void racesNext() throws Exception {
        Workers.queued(() -> next++);
    }
}
