package beside;

/** A thread sets three numbers; another one reads all, and may then write one of them. One it wrote before. */
public final class Main {
    private int counted;
    private int read;
    private int begun;

    public static void main(String[] args) {
        Main main = new Main();
        main.begun++;
        Thread setter = new Thread(main::set);
        setter.start();
        // The name of a thread orders nothing.
        while (!setter.getName().equals("has set")) {
            Thread.onSpinWait();
        }
        main.count();
        if (main.begun > 9) {
            System.out.println("many");
        }
    }

    private void set() {
        counted = 1;
        read = 1;
        begun = 2;
        Thread.currentThread().setName("has set");
    }

    private void count() {
        if (counted < read) {
            counted++;
        }
    }
}
