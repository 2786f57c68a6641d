final class Main {
    static long[] numbers = new long[1];
    static short[][] rows = new short[1][];

    static void work() {
        numbers[0]++;
        rows[0] = new short[1];
        rows[0][0]++;
        StackTraceElement[] trace = Thread.currentThread().getStackTrace();
        trace[0] = null;
        int[] own = new int[1];
        own[0]++;
    }

    public static void main(String[] given) {
        new Thread(Main::work).start();
        work();
    }
}
