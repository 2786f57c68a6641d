package ranked;

import java.io.InputStream;

/** Synchronized where the class above is, and nowhere else. */
public class Marked extends InputStream {
    private int marked;
    private int position;

    @Override
    public int read() {
        return position++;
    }

    @Override
    public synchronized void mark(int limit) {
        marked = position;
    }

    @Override
    public synchronized void reset() {
        position = marked;
    }

    @Override
    public void close() {
        marked = 0;
    }
}
