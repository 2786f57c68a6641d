import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A source for compilers. */
public class Sample<T extends Comparable<T>> {
    private final List<T> all = new ArrayList<>();
    private int count;

    public synchronized void add(T one) {
        all.add(one);
        count++;
    }

    public <R> List<R> map(Function<? super T, ? extends R> function) {
        List<R> mapped = new ArrayList<>();
        for (T one : all) {
            mapped.add(function.apply(one));
        }
        return mapped;
    }

    public T largest() {
        T found = null;
        for (T one : all) {
            found = found == null || one.compareTo(found) > 0 ? one : found;
        }
        return found;
    }

    enum Kind {
        SMALL,
        LARGE;

        static Kind of(int number) {
            return switch (number / 10) {
                case 0 -> SMALL;
                default -> LARGE;
            };
        }
    }

    record Pair<A, B>(A first, B second) {}

    public static void main(String[] args) {
        Sample<Integer> sample = new Sample<>();
        for (int i = 0; i < 20; i++) {
            sample.add(i);
        }
        System.out.println(sample.map(i -> new Pair<>(i, Kind.of(i))) + " " + sample.largest() + sample.count);
    }
}
