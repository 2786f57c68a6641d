import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Get damaged; small, with every attribute that javac writes and the JVM reads. */
public class Victims {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.METHOD})
    @interface Mark {
        int value() default 3;
    }

    record Circle(int radius, List<String> names) {
        int area() {
            return 3 * radius * radius;
        }
    }

    abstract static sealed class Shape permits Square {
        protected long side;

        int area() {
            return (int) (side * side);
        }
    }

    static final class Square extends Shape {
    }

    static class Generic<T extends Comparable<T>> {
        static final long LIMIT = 1L << 40;
        static final String NAME = "generic";
        T best;
        int[] counts = new int[4];

        @Mark synchronized T choose(List<T> all, T other) throws InterruptedException {
            for (@Mark T each : all) {
                T found = each;
                if (best == null || found.compareTo(best) > 0) {
                    best = found;
                    counts[all.size() & 3]++;
                }
            }
            synchronized (this) {
                try {
                    wait(LIMIT & 1);
                } catch (IllegalStateException e) {
                    best = other;
                }
            }
            return best;
        }
    }

    static class Looping {
        int[] counts = new int[4];
        double[][] grid = new double[2][];

        long total(double factor) {
            long sum = 0;
            for (int i = 0; i < counts.length; i++) {
                counts[i]++;
                sum += counts[i];
            }
            for (double[] row : grid) {
                double largest = factor;
                for (double each : row) {
                    largest = each > largest ? each : largest;
                }
                sum += (long) largest;
            }
            return sum;
        }
    }

    static class Switching {
        double sum;

        IntSupplier switching(int n, Object some) {
            int size = switch (n) {
                case 1, 2, 3 -> 10;
                case 1000 -> (int) sum;
                default -> some instanceof int[][] grid ? grid.length : new int[2][3].length;
            };
            class Local {
                int captured = size;
            }
            Local local = new Local();
            sum += local.captured;
            return () -> local.captured + (int) sum + n;
        }

        List<Object> long_or_short(boolean which) {
            var list = new ArrayList<Object>();
            list.add(which ? 1.5 : 70000L);
            sum = 1e300;
            return list;
        }
    }
}
