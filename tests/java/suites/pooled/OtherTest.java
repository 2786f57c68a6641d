package pooled;

import org.junit.jupiter.api.Test;

class OtherTest {
    static int other; // test: OtherTest.other
    static int another; // test: OtherTest.another

    @Test
    void other() throws Exception {
        Workers.inPool(() -> other++);
    }

    @Test
    void clean() throws Exception {
        Workers.inPool(() -> {});
    }

    @Test
    void another() throws Exception {
        Workers.scheduled(() -> another++);
    }
}
