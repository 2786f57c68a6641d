// Write Later, Reach Container, Begin Container, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Container, Begin Container, Threads Lambda
package container;

import java.util.ArrayList;
import java.util.List;

class X {
    int hits;
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(new X())).start();
        List<X> all = new ArrayList<>();
        all.add(new X());
        hit(all.get(0));
    }
}
