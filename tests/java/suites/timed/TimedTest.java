package timed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** JUnit runs a test in a thread of its own, and waits for it. */
class TimedTest {
    private static int counted; // ordered: TimedTest.counted -- the test begins and ends while the other thread waits

    @BeforeAll
    static void begin() {
        counted++;
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void runsElsewhere() {
        counted++;
    }

    @AfterAll
    static void end() {
        counted++;
    }
}
