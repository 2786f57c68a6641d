package q;

/** Its method has the name of one that it does not see. */
public class Middle extends p.Base {
    public static int shared = 21;

    int hidden() {
        return 20;
    }

    public int callMiddle() {
        return hidden();
    }

    public static int statically() {
        return 22;
    }

    public static int hiddenOf(Middle middle) {
        return middle.hidden();
    }
}
