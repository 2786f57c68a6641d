package parallel;

import org.junit.jupiter.api.Test;

/** Races with `OtherTest` where tests run in parallel, and with nothing else. */
class OneTest {
    static int counted; // race: OneTest.counted

    @Test
    void counts() throws InterruptedException {
        Meeting.hold(() -> counted++);
    }
}
