package streams;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import schedule.Program;

final class Reduced implements Program {
    static final class Item {
        int weight;
    }

    public void run() {
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Item item = new Item();
            item.weight = i;
            items.add(item);
        }
        int sum = items.parallelStream().mapToInt(item -> item.weight++).sum();
        int more = items.parallelStream().map(item -> item.weight).reduce(0, Integer::sum);
        items.forEach(item -> item.weight++);
        if (more != sum + 500) {
            System.out.println(more);
        }
    }
}

/** A counter that all share. */
final class SharedCounter implements Program {
    int count; // race: SharedCounter.count

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        AtomicInteger first = new AtomicInteger();
        pool.submit(() -> IntStream.range(0, 2).parallel().forEach(i -> {
            if (first.getPlain() == 0 && first.weakCompareAndSetPlain(0, 1)) {
                count++;
                mark(this);
                until(this, 2);
            } else {
                until(this);
                count++;
                mark(this, 2);
            }
        })).get();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

final class Collected implements Program {
    static final class Word {
        int uses;

        Word(int uses) {
            this.uses = uses;
        }
    }

    public void run() {
        List<Word> words = IntStream.range(0, 300).parallel().mapToObj(Word::new).sorted((a, b) -> b.uses - a.uses).collect(Collectors.toList());
        words.get(0).uses++;
        Map<Boolean, List<Word>> parts = words.parallelStream().peek(word -> word.uses++).collect(Collectors.partitioningBy(word -> word.uses > 9));
        parts.get(true).forEach(word -> word.uses++);
        ConcurrentMap<Integer, List<Word>> groups = words.parallelStream().collect(Collectors.groupingByConcurrent(word -> word.uses % 7));
        groups.values().forEach(group -> group.forEach(word -> word.uses++));
        Word[] array = words.parallelStream().filter(word -> word.uses > 5).toArray(Word[]::new);
        for (Word word : array) {
            word.uses++;
        }
    }
}

/** A method reference calls the library without a lambda's body between. */
final class SinkByReference implements Program {
    private final List<Integer> sink = new ArrayList<>(); // race: SinkByReference.sink
    private final List<Integer> own = new ArrayList<>();

    public void run() throws Exception {
        together(() -> {
            Stream.of(1).forEach(sink::add);
            Stream.of(1).forEach(own::add);
            mark(this);
        }, () -> {
            until(this);
            sink.size();
        });
        Stream.of(2).forEach(own::add);
    }
}

/** Adds to a list that is not safe. */
final class UnsafeSink implements Program {
    final List<Integer> sink = new ArrayList<>(); // race: UnsafeSink.sink

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        AtomicInteger first = new AtomicInteger();
        pool.submit(() -> IntStream.range(0, 2).parallel().forEach(i -> {
            if (first.getPlain() == 0 && first.weakCompareAndSetPlain(0, 1)) {
                sink.add(i);
                mark(this);
                until(this, 2);
            } else {
                until(this);
                sink.add(i);
                mark(this, 2);
            }
        })).get();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

final class SafeSink implements Program {
    static final class Found {
        int at;
    }

    public void run() throws Exception {
        List<Found> sink = Collections.synchronizedList(new ArrayList<>());
        ForkJoinPool pool = new ForkJoinPool(3);
        pool.submit(() -> IntStream.range(0, 200).parallel().forEach(i -> {
            Found found = new Found();
            found.at = i;
            sink.add(found);
        })).get();
        pool.shutdown();
        for (Found found : sink) {
            found.at++;
        }
    }
}

final class ArraysInParallel implements Program {
    final int[] values = new int[20_000];
    final Integer[] boxed = new Integer[9_000];

    public void run() {
        Arrays.parallelSetAll(values, i -> values.length - i);
        Arrays.parallelPrefix(values, (a, b) -> a < b ? a : b);
        Arrays.parallelSort(values);
        Arrays.setAll(boxed, i -> boxed.length - i);
        Arrays.parallelSort(boxed, Integer::compare);
        values[0] = boxed[0];
    }
}

final class Found implements Program {
    static final class Row {
        int hits;
    }

    public void run() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rows.add(new Row());
        }
        rows.parallelStream().forEach(row -> row.hits++);
        rows.parallelStream().filter(row -> row.hits == 1).findFirst().get().hits++;
        if (rows.parallelStream().anyMatch(row -> row.hits == 2)) {
            rows.get(0).hits++;
        }
        rows.parallelStream().forEachOrdered(row -> row.hits++);
        rows.parallelStream().flatMap(row -> List.of(row).stream()).limit(50).forEach(row -> row.hits++);
        rows.forEach(row -> row.hits++);
    }
}

/** The same object twice in a stream. */
final class Twice implements Program {
    static final class Cell {
        int value; // race: Cell.value
    }

    public void run() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3);
        Cell cell = new Cell();
        AtomicInteger first = new AtomicInteger();
        pool.submit(() -> List.of(cell, cell).parallelStream().forEach(each -> {
            if (first.getPlain() == 0 && first.weakCompareAndSetPlain(0, 1)) {
                each.value++;
                mark(this);
                until(this, 2);
            } else {
                until(this);
                each.value++;
                mark(this, 2);
            }
        })).get();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
    }
}

/** Parts are merged by whoever comes last, and then with others. */
final class Merged implements Program {
    static final class Part {
        int sum;
        final List<Integer> all = new ArrayList<>();

        void add(int value) {
            sum += value;
            all.add(value);
        }

        void merge(Part other) {
            sum += other.sum;
            all.addAll(other.all);
            other.all.clear();
        }
    }

    public void run() {
        for (int round = 0; round < 20; round++) {
            Part part = IntStream.range(0, 64).parallel().collect(Part::new, Part::add, Part::merge);
            if (part.sum != 2016 || part.all.size() != 64) {
                System.out.println(part.sum);
            }
        }
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Reduced(), new SharedCounter(), new Collected(), new SinkByReference(),
                new UnsafeSink(), new SafeSink(), new ArraysInParallel(),
                new Found(), new Twice(), new Merged());
    }
}
