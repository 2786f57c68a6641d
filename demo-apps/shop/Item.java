package shop;

/** Something to sell. */
record Item(int number, int price) {}
