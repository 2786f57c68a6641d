package hazards;

/** Two fields that belong together, written or read with the lock given up in between. */
final class Point {
    private int x;
    private int y;

    synchronized void setX(int x) {
        this.x = x;
    }

    synchronized void setY(int y) {
        this.y = y;
    }

    // atomicity: Point.moveBad
    void moveBad(int x, int y) {
        setX(x);
        setY(y);
    }

    synchronized void moveOk(int x, int y) {
        setX(x);
        setY(y);
    }

    synchronized int sum() {
        return x + y;
    }

    // atomicity: Point.readBad
    int readBad() {
        int sum;
        synchronized (this) {
            sum = x;
        }
        synchronized (this) {
            sum += y;
        }
        return sum;
    }
}
