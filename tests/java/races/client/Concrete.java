package client;

/** What it does is not what other subclasses do. */
public final class Concrete extends Abstract {
    @Override
    protected void hit() {}
}
