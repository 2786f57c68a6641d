package lib;

/** What a compiler makes of a captured variable. */
public final class Cell {
    public int value;
    public final int size = 1;
    public volatile int flag;
}
