package plain;

import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** JUnit shows arguments, by a method that the program itself calls in its own thread only. */
class ShownTest {
    private static final CountDownLatch SHOWN = new CountDownLatch(1);
    private static final CountDownLatch END = new CountDownLatch(1);

    static final class Shown {
        private static int times; // race: ShownTest$Shown.times

        @Override
        public String toString() {
            times++;
            SHOWN.countDown();
            return "shown";
        }
    }

    static Stream<Shown> named() {
        new Thread(ShownTest::showOnceMore).start();
        return Stream.of(new Shown(), new Shown());
    }

    private static void showOnceMore() {
        try {
            SHOWN.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        new Shown().toString();
        END.countDown();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("named")
    void isShown(Shown shown) {}

    @AfterAll
    static void end() throws InterruptedException {
        END.await();
    }
}
