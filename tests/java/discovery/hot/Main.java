package hot;

/** Two fields that go to another thread and back, one of them through code that two threads have run very often before. */
public class Main {
    // owner: Main$Box.often this-thread
    // owner: Main$Box.seldom none
    static final class Box {
        int often;
        int seldom;
    }

    static void often(Box box) {
        box.often++;
    }

    static void seldom(Box box) {
        box.seldom++;
    }

    static void both(Box box) {
        for (int i = 0; i < 10; i++) {
            often(box);
            seldom(box);
        }
    }

    static Box used() {
        Box box = new Box();
        for (int i = 0; i < 100_000; i++) {
            often(box);
        }
        return box;
    }

    static void run(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws InterruptedException {
        Box box = used();
        run(Main::used);
        Thread.sleep(2_000);
        both(box);
        run(() -> both(box));
        both(box);
    }
}
