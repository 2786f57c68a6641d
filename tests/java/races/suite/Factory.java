package suite;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests that a factory makes run, too. */
public class Factory {
    private static int racy; // race
    private static int inTurn;

    @TestFactory
    List<DynamicTest> tests() {
        return List.of(
                DynamicTest.dynamicTest(
                        () -> {
                            new Thread(() -> racy++).start();
                            racy++;
                            inTurn++;
                        }));
    }
}
