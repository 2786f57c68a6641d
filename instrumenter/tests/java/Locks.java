import java.util.ArrayList;
import java.util.List;

/** Methods with locks that the compilers must still compile. */
public class Locks {
    int value;
    int[] array = new int[8];
    final Object other = new Object();
    List<Integer> list = new ArrayList<>();

    int block() { synchronized (this) { return ++value; } }
    int nested() { synchronized (this) { synchronized (other) { value++; return value; } } }
    int loop() { int sum = 0; for (int i = 0; i < 4; i++) { synchronized (other) { sum += array[i]; if (sum > 1 << 20) break; } } return sum; }
    int caught(int n) { try { synchronized (this) { if (n % 16 == 0) throw new IllegalStateException(); value += n; } } catch (IllegalStateException e) { return -1; } finally { value--; } return value; }
    synchronized int method(int n) { value += n; return value; }
    static int total;
    static synchronized int staticMethod(int n) { total += n; return total; }
    synchronized int failing(int n) { if (n % 16 == 0) throw new IllegalStateException(); return n; }
    int call(int n) { try { return failing(n); } catch (IllegalStateException e) { return 0; } }

    public static void main(String[] args) {
        Locks locks = new Locks();
        long sum = 0;
        for (int i = 0; i < 60_000; i++) {
            sum += locks.block() + locks.nested() + locks.loop() + locks.caught(i) + locks.method(i) + staticMethod(i) + locks.call(i);
        }
        System.out.println("sum " + sum);
    }
}
