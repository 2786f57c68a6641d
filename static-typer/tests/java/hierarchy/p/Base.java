package p;

/** Its package-private method is overridden in its package, or where an overriding method is seen by more. */
public class Base {
    public int field = 1;
    protected static int shared = 2;
    int narrow = 3;

    int hidden() {
        return 10;
    }

    protected int inherited() {
        return 11;
    }

    private int own() {
        return 12;
    }

    public static int statically() {
        return 13;
    }

    public int callHidden() {
        return hidden();
    }

    public int callOwn() {
        return own();
    }

    public static int hiddenOf(Base base) {
        return base.hidden() * 100 + base.narrow;
    }
}
