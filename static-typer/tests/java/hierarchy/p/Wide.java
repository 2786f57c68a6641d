package p;

/** Lets everyone see the method that it overrides. */
public class Wide extends Base {
    public int field = 41;

    @Override
    public int hidden() {
        return 40;
    }

    @Override
    protected int inherited() {
        return 42 + super.inherited() * 100;
    }

    public int own() {
        return 43;
    }
}
