package pooled;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each field is raced on by the tasks of the test that its comment names, in threads that all tests share. */
class PooledTest extends Base {
    static int prepared; // test: PooledTest
    static int first; // test: PooledTest.first
    static int second; // test: PooledTest.second
    static int scheduled; // test: PooledTest.schedules
    static int forked; // test: PooledTest.forks
    static int async; // test: PooledTest.completes
    static int queued; // test: PooledTest.queues
    static int started; // test: PooledTest.starts
    static int once; // test: PooledTest.repeats(RepetitionInfo)[1]
    static int twice; // test: PooledTest.repeats(RepetitionInfo)[2]
    static int a; // test: PooledTest.takes(String)[1]
    static int b; // test: PooledTest.takes(String)[2]
    static int made; // test: PooledTest.makes[1]
    static int madeNext; // test: PooledTest.makes[2]
    static int inner; // test: PooledTest$Inner.nests
    static int setUp; // test: PooledTest.first
    static int toreDown; // test: PooledTest.second
    private boolean isFirst;
    private boolean isSecond;

    @BeforeAll
    static void prepare() throws Exception {
        Workers.inPool(() -> prepared++);
    }

    @BeforeEach
    void setUp(org.junit.jupiter.api.TestInfo test) throws Exception {
        isFirst = test.getDisplayName().equals("first()");
        isSecond = test.getDisplayName().equals("second()");
        if (isFirst) {
            Workers.inPool(() -> setUp++);
        }
    }

    @AfterEach
    void tearDown() throws Exception {
        if (isSecond) {
            Workers.queued(() -> toreDown++);
        }
    }

    @Test
    void first() throws Exception {
        Workers.inPool(() -> first++);
    }

    @Test
    void second() throws Exception {
        Workers.inPool(() -> second++);
    }

    @Test
    void schedules() throws Exception {
        Workers.scheduled(() -> scheduled++);
    }

    @Test
    void forks() throws Exception {
        Workers.forked(() -> forked++);
    }

    @Test
    void completes() {
        Workers.async(() -> async++);
    }

    @Test
    void queues() throws Exception {
        Workers.queued(() -> queued++);
    }

    @Test
    void starts() throws Exception {
        Workers.inNewThreads(() -> started++);
    }

    @RepeatedTest(2)
    void repeats(RepetitionInfo repetition) throws Exception {
        Workers.inPool(repetition.getCurrentRepetition() == 1 ? () -> once++ : () -> twice++);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void takes(String field) throws Exception {
        Workers.queued(field.equals("a") ? () -> a++ : () -> b++);
    }

    @TestFactory
    Stream<DynamicTest> makes() {
        return Stream.of(
                DynamicTest.dynamicTest("made", () -> Workers.inPool(() -> made++)),
                DynamicTest.dynamicTest("next", () -> Workers.inPool(() -> madeNext++)));
    }

    @Nested
    class Inner {
        @Test
        void nests() throws Exception {
            Workers.inPool(() -> inner++);
        }
    }
}
