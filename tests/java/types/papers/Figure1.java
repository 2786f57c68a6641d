package papers;

import net.jcip.annotations.GuardedBy;

/**
 * Paper 004, figure 1, and section 6.1.1. A class cannot have owners of its objects for parameters here, so the two objects
 * are of two classes; `requires this` is an annotation of the method.
 */
public class Figure1 {
    static class LocalNode {
        private int value; // type: unique

        void setValue(int v) {
            value = v;
        }
    }

    static class SharedNode {
        @GuardedBy("this") private int value; // type: unsafe

        @GuardedBy("this")
        void setValue(int v) {
            value = v;
        }

        int getValue() {
            return value; // error: unguarded-access
        }
    }

    public static void main(String[] arguments) {
        LocalNode n1 = new LocalNode();
        SharedNode n2 = new SharedNode();
        n1.setValue(10);
        new Thread(() -> {
            n2.setValue(20); // error: unheld-call
        }).start();
        new Thread(() -> {
            synchronized (n2) {
                n2.setValue(30);
            }
        }).start();
    }
}
