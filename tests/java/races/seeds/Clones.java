package seeds;

import java.util.ArrayList;

/** A copy is an object of its own, with fields or elements that refer to what those of the original do. */
public class Clones implements Cloneable {
    static class Box {
        int value; // race
    }

    static class Item {
        int count; // race
    }

    private final Box box = new Box();
    private int own;
    private int shared; // race
    private static volatile Clones kept;

    Clones copy() throws CloneNotSupportedException {
        return (Clones) clone();
    }

    static void fields() throws CloneNotSupportedException {
        Clones original = new Clones();
        kept = original;
        Clones copy = original.copy();
        new Thread(() -> {
            copy.own++;
            copy.box.value++;
        }).start();
        kept.own++;
        original.box.value++;
    }

    static void sharedCopy() throws CloneNotSupportedException {
        Clones copy = new Clones().copy().copy();
        new Thread(() -> copy.shared++).start();
        copy.shared++;
    }

    static void numbers() {
        int[] numbers = {1, 2};
        int[] copy = numbers.clone();
        new Thread(() -> copy[0]++).start();
        numbers[0]++;
    }

    static void rows() {
        int[][] rows = new int[1][];
        rows[0] = new int[1]; // race
        int[][] copy = rows.clone();
        new Thread(() -> copy[0][0]++).start();
        rows[0][0]++;
    }

    static void lists() {
        ArrayList<Item> items = new ArrayList<>();
        items.add(new Item());
        @SuppressWarnings("unchecked")
        ArrayList<Item> copy = (ArrayList<Item>) items.clone();
        new Thread(() -> {
            copy.add(new Item());
            copy.get(0).count++;
        }).start();
        items.add(new Item());
        items.get(0).count++;
    }

    static void sharedList() {
        ArrayList<String> texts = new ArrayList<>(); // race
        Object copy = texts.clone();
        new Thread(() -> ((ArrayList<?>) copy).clear()).start();
        ((ArrayList<?>) copy).clear();
    }

    public static void main(String[] args) throws CloneNotSupportedException {
        fields();
        sharedCopy();
        numbers();
        rows();
        lists();
        sharedList();
    }
}
