package lambdas;

import static util.Threads.thrice;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** Lambdas, method references, and what they capture. */
final class Counter {
    int byLambda; // race: Counter.byLambda
    int byReference; // race: Counter.byReference
    int guarded;
    int viaFunction; // race: Counter.viaFunction

    void increment() {
        byReference++;
    }

    synchronized int guardedIncrement(int by) {
        guarded += by;
        return guarded;
    }

    Function<Integer, Function<Integer, Integer>> nested() {
        return a -> b -> {
            viaFunction += a + b;
            return viaFunction;
        };
    }
}

interface SerializableSupplier<T> extends Supplier<T>, Serializable {
}

public final class Main {
    static final Counter COUNTER = new Counter();

    static Supplier<String> copied(SerializableSupplier<String> lambda) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(lambda);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            @SuppressWarnings("unchecked")
            Supplier<String> copy = (Supplier<String>) in.readObject();
            return copy;
        }
    }

    // race: Main.touch
    static void touch(int[] captured) {
        captured[0]++;
    }

    // The text of the list is made when nothing that a checker sees says that the threads have ended.
    // race: Main.main
    public static void main(String[] args) throws Exception {
        int[] captured = new int[1];
        Runnable reference = COUNTER::increment;
        IntUnaryOperator guarded = COUNTER::guardedIncrement;
        Function<Integer, int[]> constructor = int[]::new;
        List<Integer> seen = new ArrayList<>();
        thrice(() -> {
            Runnable lambda = () -> COUNTER.byLambda++;
            lambda.run();
            reference.run();
            guarded.applyAsInt(2);
            touch(captured);
            COUNTER.nested().apply(1).apply(2);
            synchronized (seen) {
                seen.add(constructor.apply(3).length);
            }
        });
        System.out.println(seen + " " + captured[0]);
        String text = "serialized";
        System.out.println(copied(() -> text + "!").get());
        System.out.println(Main.class.getDeclaredFields().length);
    }
}
