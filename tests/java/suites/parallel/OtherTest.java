package parallel;

import org.junit.jupiter.api.Test;

class OtherTest {
    @Test
    void counts() throws InterruptedException {
        Meeting.hold(() -> OneTest.counted++);
    }
}
