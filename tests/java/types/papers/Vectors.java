package papers;

import net.jcip.annotations.GuardedBy;

/** Paper 002, figure 5: the race of `lastIndexOf` in the JDK's first `Vector`. */
public class Vectors {
    static class Vector {
        @GuardedBy("this") private Object[] elementData = new Object[8]; // type: guarded this
        @GuardedBy("this") private int elementCount; // type: unsafe

        synchronized void trimToSize() {
            Object[] trimmed = new Object[elementCount];
            System.arraycopy(elementData, 0, trimmed, 0, elementCount);
            elementData = trimmed;
        }

        synchronized void removeAllElements() {
            elementCount = 0;
        }

        synchronized void add(Object element) {
            elementData[elementCount++] = element;
        }

        synchronized int lastIndexOf(Object element, int n) {
            for (int i = n; --i >= 0; ) {
                if (element.equals(elementData[i])) {
                    return i;
                }
            }
            return -1;
        }

        int lastIndexOf(Object element) {
            return lastIndexOf(element, elementCount); // error: unguarded-access
        }
    }

    public static void main(String[] arguments) {
        Vector vector = new Vector();
        new Thread(() -> vector.lastIndexOf("a")).start();
        new Thread(() -> {
            vector.add("a");
            vector.removeAllElements();
            vector.trimToSize();
        }).start();
    }
}
