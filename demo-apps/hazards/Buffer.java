package hazards;

/** As StringBuffer was: each buffer locks itself, but not the one that is appended, which may shrink in between. */
final class Buffer {
    private final char[] chars = new char[16];
    private int length;

    synchronized int length() {
        return length;
    }

    synchronized void setLength(int length) {
        this.length = length;
    }

    synchronized void copy(int n, Buffer to) {
        if (n > length) {
            throw new IndexOutOfBoundsException();
        }
        System.arraycopy(chars, 0, to.chars, to.length, n);
    }

    // atomicity: Buffer.appendBad
    synchronized void appendBad(Buffer other) {
        int n = other.length();
        other.copy(n, this);
        length += n;
    }

    synchronized void appendOk(Buffer other) {
        synchronized (other) {
            int n = other.length();
            other.copy(n, this);
            length += n;
        }
    }
}
