package plain;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import util.Threads;

/** Tests come one after the other; what they race with are threads that they start. */
class RacesTest {
    private static int shared; // race: RacesTest.shared
    private int own; // race: RacesTest.own
    private static int alone;
    private int prepared;
    private final Box guarded = new Box();

    @BeforeEach
    void prepare() {
        prepared++;
        alone++;
    }

    @Test
    void racesOnAStaticField() {
        Threads.inTurns(() -> shared++, () -> shared++);
        alone += prepared;
    }

    @Test
    void racesOnTheTestObject() {
        Threads.inTurns(() -> own++, () -> own++);
    }

    @Test
    void locks() {
        Threads.inTurns(this::locked, this::locked);
    }

    private void locked() {
        synchronized (guarded) {
            guarded.locked++;
        }
    }

    static Stream<Arguments> boxes() {
        return Stream.of("first", "second").map(name -> Arguments.of(new Box(), name));
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void racesOnAParameter(Box box, String name) {
        Threads.inTurns(() -> box.passed++, () -> box.passed++);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void racesOnWhatATextBecomes(Converted converted) {
        Threads.inTurns(() -> converted.made++, () -> converted.made++);
    }

    @TestFactory
    Stream<DynamicTest> racesInDynamicTests() {
        Box box = new Box();
        return Stream.of(DynamicTest.dynamicTest("dynamic", () -> Threads.inTurns(() -> box.dynamic++, () -> box.dynamic++)));
    }

    @Test
    @ExtendWith(Keeper.class)
    void racesOnWhatAnExtensionKeeps(Kept kept) {
        Threads.inTurns(() -> kept.uses++, () -> kept.uses++);
    }

    @Nested
    class InnerTest {
        private int inner; // race: RacesTest$InnerTest.inner

        @Test
        void racesOnANestedTestObject() {
            Threads.inTurns(() -> inner++, () -> inner++);
            own++;
        }
    }

    static final class Box {
        int passed; // race: RacesTest$Box.passed
        int dynamic; // race: RacesTest$Box.dynamic
        int locked;

        @Override
        public String toString() {
            return "box";
        }
    }
}
