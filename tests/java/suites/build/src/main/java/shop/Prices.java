package shop;

/** Mocked by the tests. */
public interface Prices {
    int of(String good);
}
