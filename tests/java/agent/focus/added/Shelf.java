package added;

/** Of a library. */
final class Shelf {
    private int sum;

    void put(int price) {
        sum += price;
    }

    int sum() {
        return sum;
    }
}

/** Of a library, and named by the program. */
final class Lid {
    int price() {
        return 2;
    }
}

/** Of a library, and named by none of the others. */
final class Label {
    int sum(Shelf shelf) {
        return shelf.sum();
    }
}
