import java.lang.reflect.Array;
import java.security.AccessController;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;

/** Arrays that the JDK makes like others, and what privileged actions return; comments as in `Casts`. */
final class Lengths {
    static class A {}

    static final class B extends A {}

    static final class C extends A {}

    static Object last;

    static void longer() {
        Object longer = Arrays.copyOf(new B[] {new B()}, 5);
        last = (B[]) longer; // cast: safe
        last = (C[]) longer; // cast: may fail
        Object[] held = (Object[]) longer; // cast: safe
        last = (B) held[0]; // cast: safe
    }

    static void filledLater() {
        Object filled = Arrays.copyOfRange(new A[0], 0, 3);
        A[] held = (A[]) filled; // cast: safe
        held[0] = new C();
        last = (C) held[1]; // cast: safe
        last = (B) held[1]; // cast: may fail
    }

    static void ofAnotherClass(A[] example) {
        Object like = Arrays.copyOf(new Object[] {new C()}, 5, example.getClass());
        Object[] held = (A[]) like; // cast: safe
        last = (B[]) like; // cast: may fail
        last = (C) held[0]; // cast: safe
        last = (B) held[0]; // cast: may fail
        Object told = Arrays.copyOfRange(new Object[] {new B()}, 0, 5, B[].class);
        Object[] many = (B[]) told; // cast: safe
        last = (B) many[0]; // cast: safe
    }

    static void empty(C[] example) {
        Object made = Array.newInstance(B.class, 3);
        last = (B[]) made; // cast: safe
        last = (C[]) made; // cast: may fail
        Object like = Array.newInstance(example.getClass().getComponentType(), 3);
        last = (C[]) like; // cast: safe
        last = (B[]) like; // cast: may fail
    }

    static void ofUnknownClass(Class<?> some) {
        Object any = Array.newInstance(some, 3);
        last = (B[]) any; // cast: may fail
    }

    static void actions() {
        try {
            last = (B) AccessController.doPrivileged((PrivilegedExceptionAction<Object>) B::new); // cast: safe
            last = (C) AccessController.doPrivileged((PrivilegedExceptionAction<Object>) C::new); // cast: safe
        } catch (PrivilegedActionException wrapper) {
            last = (RuntimeException) wrapper.getException(); // cast: may fail
        }
    }

    public static void main(String[] args) throws ClassNotFoundException {
        longer();
        filledLater();
        ofAnotherClass(new A[0]);
        empty(new C[] {new C()});
        ofUnknownClass(Class.forName(args[0]));
        actions();
    }
}
