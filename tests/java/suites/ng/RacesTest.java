package ng;

import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;
import util.Threads;

/** TestNG: one object for all tests of a class, which come one after the other. */
public class RacesTest {
    private static int shared; // race: RacesTest.shared
    private static int alone;
    private int own; // race: RacesTest.own
    private int prepared;

    @BeforeMethod
    public void prepare() {
        prepared++;
        alone++;
    }

    @Test
    public void racesOnAStaticField() {
        Threads.inTurns(() -> shared++, () -> shared++);
        alone += prepared;
    }

    @Test(dependsOnMethods = "racesOnAStaticField")
    public void racesOnTheTestObject() {
        Threads.inTurns(() -> own++, () -> own++);
    }

    @DataProvider
    public Object[][] boxes() {
        Box box = new Box();
        return new Object[][] {{box}, {box}};
    }

    @Test(dataProvider = "boxes")
    public void racesOnAParameter(Box box) {
        Threads.inTurns(() -> box.passed++, () -> box.passed++);
        box.alone++;
    }

    @AfterClass
    public void end() {
        alone--;
    }

    static final class Box {
        int passed; // race: RacesTest$Box.passed
        int alone;
    }
}
