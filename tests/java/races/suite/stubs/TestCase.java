package junit.framework;

/** Stands for JUnit's. */
public abstract class TestCase {
    protected void setUp() throws Exception {}
}
