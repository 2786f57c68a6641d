/** Casts, and which of them may fail as far as the analysis knows; a line without a comment is not reached. */
final class Casts {
    static class A {}

    static final class B extends A {}

    static final class C extends A {}

    interface Act {
        void act();
    }

    interface Mark {}

    static final class Box {
        private Object held;

        void put(Object held) {
            this.held = held;
        }

        Object get() {
            return held;
        }
    }

    static Object last;

    static Object one(boolean first) {
        return first ? new B() : new C();
    }

    static void told() {
        Box b = new Box();
        Box c = new Box();
        b.put(new B());
        c.put(new C());
        last = (B) b.get(); // cast: may fail without contexts
        last = (C) c.get(); // cast: may fail without contexts
    }

    static void arrays() {
        Object[] bs = new B[] {new B()};
        Object some = bs;
        last = (A[]) some; // cast: safe
        last = (C[]) some; // cast: may fail
        last = (int[]) some; // cast: may fail
        last = (B) bs[0]; // cast: safe
    }

    static void lambdas() {
        Object run = (Act) () -> last = null;
        ((Act) run).act(); // cast: safe
        last = (Mark) run; // cast: may fail
        Act marked = (Act & Mark) () -> told(); // cast: safe
        marked.act();
        Act written = (Act & Mark & java.io.Serializable) () -> arrays(); // cast: safe
        written.act();
    }

    static void never() {
        last = (C) one(true);
    }

    public static void main(String[] args) {
        Object nothing = null;
        last = (B) nothing; // cast: safe
        Object b = new B();
        last = (B) b; // cast: safe
        last = (A) one(false); // cast: safe
        last = (B) one(true); // cast: may fail
        if (args.length > 1) {
            B dropped = (B) one(false); // cast: may fail
        }
        lambdas();
    }
}
