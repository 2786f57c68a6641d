package open;

/** One thread. */
public class App {
    public static void main(String[] args) {
        Lib lib = new Lib();
        lib.hit();
        lib.lock();
    }
}
