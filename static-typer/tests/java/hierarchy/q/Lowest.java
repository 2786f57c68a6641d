package q;

/** Overrides the method of its own package; the one of the other package stays as it is. */
public class Lowest extends p.Low {
    @Override
    protected int inherited() {
        return 50 + 100 * super.inherited();
    }

    public int hidden() {
        return 51;
    }

    public int sum() {
        return field + shared + statically() + inherited();
    }
}
