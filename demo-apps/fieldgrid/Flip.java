package fieldgrid;

/** Next values for the two reference types; the numbers count up and booleans turn round. */
final class Flip {
    private static final Object THING = new Object();
    private static final int[] ROW = new int[1];

    private Flip() {}

    static Object flip(Object old) {
        return old == null ? THING : null;
    }

    static int[] flip(int[] old) {
        return old == null ? ROW : null;
    }
}
