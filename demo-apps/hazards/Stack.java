package hazards;

/** It may be empty by the time that it is popped. */
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
