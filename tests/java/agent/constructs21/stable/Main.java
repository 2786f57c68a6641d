package stable;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import schedule.Program;

/** A stable value of JDK 25, by reflection: the class is a preview, and has another name in the next release. */
final class Stable {
    private static final Class<?> TYPE = type();

    private Stable() {}

    private static Class<?> type() {
        try {
            return Class.forName("java.lang.StableValue");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object value() throws Exception {
        return TYPE.getMethod("of").invoke(null);
    }

    static void trySet(Object value, Object content) throws Exception {
        TYPE.getMethod("trySet", Object.class).invoke(value, content);
    }

    static Box orElse(Object value, Box other) throws Exception {
        return (Box) TYPE.getMethod("orElse", Object.class).invoke(value, other);
    }

    static Box orElseSet(Object value, Supplier<Box> supplier) throws Exception {
        return (Box) TYPE.getMethod("orElseSet", Supplier.class).invoke(value, supplier);
    }

    @SuppressWarnings("unchecked")
    static Supplier<Box> supplier(Supplier<Box> made) throws Exception {
        return (Supplier<Box>) TYPE.getMethod("supplier", Supplier.class).invoke(null, made);
    }

    @SuppressWarnings("unchecked")
    static Function<Integer, Box> function(Set<Integer> keys, Function<Integer, Box> made) throws Exception {
        return (Function<Integer, Box>) TYPE.getMethod("function", Set.class, Function.class).invoke(null, keys, made);
    }
}

/** What a stable value holds. */
final class Box {
    int value;
    int later; // race: Box.later

    Box(int value) {
        this.value = value;
    }
}

/** The content is known to who reads it, however it came there. */
final class Contents implements Program {
    public void run() throws Exception {
        Object set = Stable.value();
        Object found = Stable.value();
        Supplier<Box> supplier = Stable.supplier(() -> new Box(1));
        Function<Integer, Box> function = Stable.function(Set.of(1, 2), Box::new);
        int[][] sums = new int[3][1];
        together(() -> {
            Stable.trySet(set, new Box(1));
            sums[0][0] = sum(found, supplier, function);
        }, () -> {
            Box box;
            while ((box = Stable.orElse(set, null)) == null) {
                Thread.onSpinWait();
            }
            box.value++;
            sums[1][0] = sum(found, supplier, function);
        }, () -> sums[2][0] = sum(found, supplier, function));
    }

    private static int sum(Object found, Supplier<Box> supplier, Function<Integer, Box> function) throws Exception {
        return Stable.orElseSet(found, () -> new Box(2)).value + supplier.get().value + function.apply(1).value + function.apply(2).value;
    }
}

/** What is done to the content after it is set is not. */
final class ChangedLater implements Program {
    public void run() throws Exception {
        Object value = Stable.value();
        together(() -> {
            Box box = new Box(1);
            Stable.trySet(value, box);
            box.later = 1;
            mark(this);
        }, () -> {
            until(this);
            Stable.orElse(value, null).later++;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Contents(), new ChangedLater());
    }
}
