package seeds;

/** The same race by an anonymous class, a lambda, a method reference, and through a method of its own. */
public class Anonymous {
    private int byClass; // race
    private int byLambda; // race
    private int byReference; // race
    private int bySplit; // race
    private int locked;

    void refer() {
        byReference++;
    }

    void split() {
        splitAgain(this);
    }

    private static void splitAgain(Anonymous on) {
        on.bySplit++;
        Anonymous alias = on;
        synchronized (alias) {
            on.locked++;
        }
    }

    void all() {
        byClass++;
        byLambda++;
        byReference++;
        bySplit++;
        synchronized (this) {
            locked++;
        }
    }

    public static void main(String[] args) {
        Anonymous object = new Anonymous();
        new Thread(new Runnable() {
            @Override
            public void run() {
                object.byClass++;
            }
        }).start();
        new Thread(() -> object.byLambda++).start();
        new Thread(object::refer).start();
        new Thread(object::split).start();
        object.all();
    }
}
