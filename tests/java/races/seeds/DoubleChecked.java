package seeds;

/** Double-checked locking, without volatile and with it. */
public class DoubleChecked {
    private static DoubleChecked plain; // race
    private static volatile DoubleChecked ordered;

    static DoubleChecked plain() {
        if (plain == null) {
            synchronized (DoubleChecked.class) {
                if (plain == null) {
                    plain = new DoubleChecked();
                }
            }
        }
        return plain;
    }

    static DoubleChecked ordered() {
        if (ordered == null) {
            synchronized (DoubleChecked.class) {
                if (ordered == null) {
                    ordered = new DoubleChecked();
                }
            }
        }
        return ordered;
    }

    public static void main(String[] args) {
        Runnable both = () -> System.out.println(plain() == null || ordered() == null);
        new Thread(both).start();
        both.run();
    }
}
