package damaged;

/** Gets damaged; small, with something of everything that is woven. */
public class Victim {
    int field;
    static long counter;
    int[] elements = {1, 2};

    synchronized int work(int n) {
        synchronized (this) {
            field += n;
            counter++;
            for (int i = 0; i < elements.length; i++) {
                elements[i] += field;
            }
            return n > 0 ? elements[0] : (int) counter;
        }
    }
}
