package weak;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Objects that are passed on in order, by the same means as in {@link Weak}. */
public class Strong {
    private static final AtomicReference<Plain> PLAIN = new AtomicReference<>();
    private static final AtomicReferenceArray<InArray> ARRAY = new AtomicReferenceArray<>(1);
    private static final VarHandle BY_HANDLE;
    private static final VarHandle OF_VOLATILE;
    private static final VarHandle ELEMENTS = MethodHandles.arrayElementVarHandle(Element[].class);
    private static final Element[] ALL = new Element[1];
    private static ByHandle handled;
    private static volatile OfVolatile kept;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            BY_HANDLE = lookup.findStaticVarHandle(Strong.class, "handled", ByHandle.class);
            OF_VOLATILE = lookup.findStaticVarHandle(Strong.class, "kept", OfVolatile.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static class Plain {
        String plain;
    }

    static class InArray {
        String inArray;
    }

    static class ByHandle {
        String byHandle;
    }

    static class OfVolatile {
        String ofVolatile;
    }

    static class Element {
        String element;
    }

    static void give() {
        Plain plain = new Plain();
        plain.plain = "";
        PLAIN.lazySet(plain);
        InArray inArray = new InArray();
        inArray.inArray = "";
        ARRAY.compareAndSet(0, null, inArray);
        ByHandle given = new ByHandle();
        given.byHandle = "";
        BY_HANDLE.setRelease(given);
        OfVolatile made = new OfVolatile();
        made.ofVolatile = "";
        OF_VOLATILE.setVolatile(made);
        Element element = new Element();
        element.element = "";
        ELEMENTS.setRelease(ALL, 0, element);
    }

    static int take() {
        int length = 0;
        Plain plain = PLAIN.get();
        if (plain != null) {
            length += plain.plain.length();
        }
        InArray inArray = ARRAY.get(0);
        if (inArray != null) {
            length += inArray.inArray.length();
        }
        ByHandle taken = (ByHandle) BY_HANDLE.getAcquire();
        if (taken != null) {
            length += taken.byHandle.length();
        }
        OfVolatile found = kept;
        if (found != null) {
            length += found.ofVolatile.length();
        }
        Element element = (Element) ELEMENTS.getAcquire(ALL, 0);
        return element == null ? length : length + element.element.length();
    }

    public static void main(String[] args) {
        new Thread(Strong::give).start();
        new Thread(Strong::take).start();
    }
}
