package seeds;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** Objects that come by handles of fields, however the handles are kept. */
public class Handles {
    private static final VarHandle STATIC;
    private static VarHandle kept;
    private static VarHandle changed;
    static OfStatic ofStatic;
    static OfKept ofKept;
    OfInstance ofInstance;
    OfFirst first;
    OfSecond second;
    volatile Updated updated;
    volatile OfUnknown unknown;
    private final VarHandle own;

    static class OfStatic {
        int byStatic; // race
    }

    static class OfKept {
        int byKept; // race
    }

    static class OfInstance {
        int byInstance; // race
    }

    static class OfFirst {
        int byFirst;
    }

    static class OfSecond {
        int bySecond; // race
    }

    static class Updated {
        int byUpdate; // race
        int inUpdate; // race
        int inAccumulation; // race
    }

    static class OfUnknown {
        int byUnknown; // race
    }

    private static final AtomicReferenceFieldUpdater<Handles, Updated> UPDATER =
            AtomicReferenceFieldUpdater.newUpdater(Handles.class, Updated.class, "updated");
    private static final AtomicReferenceFieldUpdater<Handles, OfUnknown> UNKNOWN =
            AtomicReferenceFieldUpdater.newUpdater(Handles.class, OfUnknown.class, "unknown".concat(""));

    static {
        try {
            STATIC = MethodHandles.lookup().findStaticVarHandle(Handles.class, "ofStatic", OfStatic.class);
            changed = MethodHandles.lookup().findVarHandle(Handles.class, "first", OfFirst.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Handles() throws ReflectiveOperationException {
        own = MethodHandles.lookup().findVarHandle(Handles.class, "ofInstance", OfInstance.class);
    }

    private static void keep() throws ReflectiveOperationException {
        kept = MethodHandles.lookup().findStaticVarHandle(Handles.class, "ofKept", OfKept.class);
        changed = MethodHandles.lookup().findVarHandle(Handles.class, "second", OfSecond.class);
    }

    private void start() {
        ofStatic = new OfStatic();
        ofKept = new OfKept();
        ofInstance = new OfInstance();
        first = new OfFirst();
        second = new OfSecond();
        updated = new Updated();
        unknown = new OfUnknown();
        OfStatic byStatic = new OfStatic();
        OfKept byKept = new OfKept();
        OfInstance byInstance = new OfInstance();
        OfSecond bySecond = new OfSecond();
        Updated byUpdate = new Updated();
        OfUnknown byUnknown = new OfUnknown();
        STATIC.set(byStatic);
        kept.set(byKept);
        own.set(this, byInstance);
        changed.set(this, bySecond);
        UPDATER.updateAndGet(this, old -> byUpdate);
        UNKNOWN.set(this, byUnknown);
        first.byFirst++;
        new Thread(() -> {
            ofStatic.byStatic++;
            ofKept.byKept++;
            ofInstance.byInstance++;
            second.bySecond++;
            updated.byUpdate++;
            unknown.byUnknown++;
        }).start();
        byStatic.byStatic++;
        byKept.byKept++;
        byInstance.byInstance++;
        bySecond.bySecond++;
        byUpdate.byUpdate++;
        byUnknown.byUnknown++;
    }

    private void functions() {
        UPDATER.getAndUpdate(this, old -> {
            old.inUpdate++;
            return old;
        });
        UPDATER.getAndAccumulate(this, null, (old, given) -> {
            old.inAccumulation++;
            return old;
        });
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        keep();
        Handles handles = new Handles();
        handles.start();
        new Thread(handles::functions).start();
        handles.functions();
    }
}
