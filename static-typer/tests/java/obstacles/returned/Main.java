// Write Later, Reach Returned, Begin Returned, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Returned, Begin Returned, Threads Lambda
package returned;

import java.util.Iterator;

class X {
    int hits;
}

class Endless implements Iterator<X> {
    @Override
    public boolean hasNext() {
        return true;
    }

    @Override
    public X next() {
        return new X();
    }
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        hit(new Endless().next());
    }
}
