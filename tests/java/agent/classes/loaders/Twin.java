package loaders;

/** Loaded several times; it uses no class but those of the JDK and its own. */
public final class Twin implements Runnable {
    static int separate;
    static int guarded;
    static int racyStatic; // race: Twin.racyStatic
    static int mirrored; // race: Twin.mirrored
    static int separatelyMirrored;
    private final String what;
    private int racy; // race: Twin.racy
    private final Helper helper = new Helper();

    public Twin(String what) {
        this.what = what;
    }

    @Override
    public void run() {
        switch (what) {
            case "separate" -> separate++;
            case "guarded" -> {
                synchronized (Twin.class) {
                    guarded++;
                    helper.guarded++;
                }
            }
            case "racy" -> racy++;
            case "racyStatic" -> racyStatic++;
            case "mirrored" -> mirrored++;
            default -> { }
        }
    }

    static final class Helper {
        int guarded;
    }
}
