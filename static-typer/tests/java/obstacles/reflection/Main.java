// Write Later, Reach Reflection, Begin Reflection, Threads Lambda, Lock NoLock, Owner Unkept
// alone: Reach Reflection, Begin Reflection, Threads Lambda
package reflection;

class X {
    int hits;
}

final class Main {
    static void hit(X x) {
        x.hits++;
    }

    public static void main(String[] given) throws Exception {
        new Thread(() -> hit(null)).start();
        X x = (X) Class.forName("reflection.X").getDeclaredConstructor().newInstance();
        hit(x);
    }
}
