import java.util.concurrent.*;
public class P { static int n; public static void main(String[] a) throws Exception { var pool = Executors.newFixedThreadPool(2); for (int i = 0; i < 3; i++) pool.submit(() -> { n++; }); pool.shutdown(); } }
