package internals;

import java.util.ListResourceBundle;

/** Found by its name, which makes it. */
public final class Texts extends ListResourceBundle {
    int lookups;

    public Texts() {
        lookups = 1;
    }

    @Override
    protected Object[][] getContents() {
        return new Object[][] {{"told", "yes"}};
    }
}
