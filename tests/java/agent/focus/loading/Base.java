package loading;

/** Looked for when the bytes of {@link Counter} have been seen. */
public class Base {}
