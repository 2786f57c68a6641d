package gatherers;

import static schedule.Schedule.mark;
import static schedule.Schedule.until;

import java.lang.reflect.Method;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import schedule.Program;

/** Gatherers of JDK 24, by reflection. */
final class Fold {
    private Fold() {}

    static <R> R of(int size, Supplier<R> initial, BiFunction<R, Integer, R> folder) throws Exception {
        Class<?> gatherers = Class.forName("java.util.stream.Gatherers");
        Object fold = gatherers.getMethod("fold", Supplier.class, BiFunction.class).invoke(null, initial, folder);
        Method gather = Stream.class.getMethod("gather", Class.forName("java.util.stream.Gatherer"));
        Stream<Integer> numbers = IntStream.range(0, size).boxed().parallel();
        @SuppressWarnings("unchecked")
        Stream<R> folded = (Stream<R>) gather.invoke(numbers, fold);
        return folded.findFirst().orElseThrow();
    }
}

/** A gatherer that has no combiner gets the elements one after the other, whichever threads bring them. */
final class Sequential implements Program {
    static final class Sum {
        int value;
    }

    public void run() throws Exception {
        for (int round = 0; round < 100; round++) {
            Sum sum = Fold.of(100, Sum::new, (Sum each, Integer number) -> {
                each.value += number;
                return each;
            });
            sum.value++;
        }
    }
}

/** What others do meanwhile is not ordered by that. */
final class Beside implements Program {
    static final class Sum {
        int value;
        int seen; // race: Sum.seen
    }

    public void run() throws Exception {
        Sum sum = new Sum();
        Thread other = new Thread(() -> {
            sum.seen = 1;
            mark(this);
        });
        other.start();
        Fold.of(100, () -> sum, (Sum each, Integer number) -> {
            if (number == 99) {
                until(this);
                each.seen++;
            }
            each.value += number;
            return each;
        });
        other.join();
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Sequential(), new Beside());
    }
}
