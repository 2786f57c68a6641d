package point;

import static util.Threads.inTurns;

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

public final class Main {
    public static void main(String[] args) {
        Point written = new Point();
        inTurns(() -> written.moveBad(1, 2), written::sum);
        Point read = new Point();
        inTurns(() -> read.moveOk(1, 2), read::readBad);
        Point ok = new Point();
        inTurns(() -> ok.moveOk(1, 2), ok::sum, () -> ok.moveOk(3, 4));
    }
}
