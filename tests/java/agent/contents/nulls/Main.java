package nulls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Calls on null, and calls that fail: what the program sees is what it would have seen. */
public final class Main {
    static List<Integer> list;
    static Map<String, Integer> map;
    static StringBuilder text;
    static int[] numbers;
    static int[] others = new int[2];
    static Object none = "no array";

    public static void main(String[] args) {
        fails(() -> list.add(1));
        fails(() -> list.addAll(null));
        fails(() -> map.merge("a", 1, Integer::sum));
        fails(() -> map.get("a"));
        fails(() -> text.append(1L));
        fails(() -> new ArrayList<>(list));
        fails(() -> numbers.clone());
        fails(() -> Arrays.fill(numbers, 1));
        fails(() -> Arrays.sort(numbers, 0, 1));
        fails(() -> System.arraycopy(numbers, 0, others, 0, 1));
        fails(() -> System.arraycopy(others, 0, numbers, 0, 1));
        fails(() -> System.arraycopy(others, 0, none, 0, 1));
        fails(() -> System.arraycopy(others, 1, others, 0, 2));
        fails(() -> System.arraycopy(others, -1, others, 0, 2));
        fails(() -> List.of(1).add(2));
        list = new ArrayList<>();
        fails(() -> list.get(1));
    }

    private static void fails(Runnable body) {
        try {
            body.run();
            System.out.println("nothing");
        } catch (RuntimeException e) {
            System.out.println(e.getClass() + ": " + e.getMessage());
        }
    }
}
