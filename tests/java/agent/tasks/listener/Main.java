package listener;

/** Messages that come one after the other, and that several threads may handle. */
public final class Main {
    private int messages; // race: Main.messages
    private int outside;

    private Main() {}

    void onMessage() {
        messages++;
    }

    void count() {
        outside++;
    }

    public static void main(String[] none) {
        Main listener = new Main();
        for (int i = 0; i < 2; i++) {
            listener.onMessage();
            listener.count();
        }
    }
}
