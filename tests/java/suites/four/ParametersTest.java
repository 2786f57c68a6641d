package four;

import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import util.Threads;

/** JUnit 4 makes a test object of each row, and writes the other parameter to a field. */
@RunWith(Parameterized.class)
public class ParametersTest {
    @Parameterized.Parameter(0)
    public Box given;

    @Parameterized.Parameters
    public static List<Object[]> boxes() {
        Box box = new Box();
        return List.of(new Object[] {box}, new Object[] {box});
    }

    @Test
    public void racesOnAParameter() {
        Threads.inTurns(() -> given.passed++, () -> given.passed++);
        given.alone++;
    }

    static final class Box {
        int passed; // race: ParametersTest$Box.passed
        int alone;
    }
}
