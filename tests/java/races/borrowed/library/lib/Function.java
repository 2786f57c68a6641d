package lib;

public interface Function<T> {
    Object apply(T argument);
}
