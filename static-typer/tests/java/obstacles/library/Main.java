// Write Later, Reach Library, Begin Library, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Library, Begin Library, Threads Lambda
package library;

import java.lang.ref.WeakReference;

class X {
    int hits;
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        WeakReference<X> weak = new WeakReference<>(new X());
        hit(weak.get());
    }
}
