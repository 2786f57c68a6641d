package beside;

/** A thread sets two numbers; another one reads both, and may write one of them. */
public final class Main {
    private int counted;
    private int read;

    public static void main(String[] args) {
        Main main = new Main();
        Thread setter = new Thread(main::set);
        setter.start();
        // The name of a thread orders nothing.
        while (!setter.getName().equals("has set")) {
            Thread.onSpinWait();
        }
        main.count();
    }

    private void set() {
        counted = 1;
        read = 1;
        Thread.currentThread().setName("has set");
    }

    private void count() {
        if (counted < read) {
            counted++;
        }
    }
}
