package sizethenpop;

import static util.Threads.inTurns;

final class Stack {
    private final int[] items = new int[8];
    private int size;

    synchronized int size() {
        return size;
    }

    synchronized void push(int item) {
        items[size++] = item;
    }

    synchronized int pop() {
        return items[--size];
    }

    // atomicity: Stack.takeBad
    int takeBad() {
        return size() > 0 ? pop() : -1;
    }

    synchronized int takeOk() {
        return size() > 0 ? pop() : -1;
    }
}

public final class Main {
    public static void main(String[] args) {
        Stack bad = new Stack();
        inTurns(() -> bad.push(1), bad::takeBad, bad::takeBad);
        Stack ok = new Stack();
        inTurns(() -> ok.push(1), ok::takeOk, ok::takeOk);
    }
}
