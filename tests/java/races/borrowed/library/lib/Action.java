package lib;

/** A function that returns nothing: lambdas implement the one method, the library calls the other. */
public interface Action<T> extends Function<T> {
    void run(T argument);

    @Override
    default Object apply(T argument) {
        run(argument);
        return null;
    }
}
