package pooled;

import org.junit.jupiter.api.Test;

abstract class Base {
    static int inherited; // test: PooledTest.inherits

    @Test
    void inherits() throws Exception {
        Workers.inPool(() -> inherited++);
    }
}
