// Lock Unknown
package unknown;

class X {
    int hits;
}

class Gone {
    int hits;
}

final class Main {
    static void work() {
        Gone gone = new Gone();
        gone.hits = 1;
        new X().hits = gone.hits;
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
