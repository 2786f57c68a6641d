package q;

/** Overrides a method that another package sees, by one that everyone sees. */
public class Below extends p.Wide {
    public String field = "60";

    @Override
    public int hidden() {
        return 60;
    }

    private int own(int n) {
        return 61 + n;
    }

    public int owns() {
        return own(1) + own() + ((p.Base) this).field + ((p.Wide) this).field + field.hashCode();
    }
}
