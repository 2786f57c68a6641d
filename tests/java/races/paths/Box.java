package paths;

/** Each field has one public method that gets at it, `...Bad`, and others that call the same code with something else. */
public class Box {
    private int direct;
    private int inner;
    private int chosen;

    private static void put(Box box) {
        if (box != null) {
            box.direct = 1;
        }
    }

    public static void aDirectOk() {
        put(null);
    }

    public static void cDirectBad(Box box) {
        put(box);
    }

    private static void putInner(Box[] boxes) {
        if (boxes != null && boxes.length > 0) {
            boxes[0].inner = 1;
        }
    }

    public static void aInnerOk() {
        putInner(null);
        putInner(new Box[] {null});
    }

    public static void cInnerBad(Box box) {
        putInner(new Box[] {box});
    }

    private static void apply(Action action, Box box) {
        action.apply(box);
    }

    public static void aChosenOk(Box box) {
        apply(new None(), box);
    }

    public static void cChosenBad(Box box) {
        Box passed = box;
        apply(new Choose(), passed);
    }

    interface Action {
        void apply(Box box);
    }

    static class None implements Action {
        public void apply(Box box) {}
    }

    static class Choose implements Action {
        public void apply(Box box) {
            box.chosen++;
        }
    }
}
