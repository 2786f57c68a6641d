package kotlin.coroutines.jvm.internal;

/** Stands for what coroutines of Kotlin extend. */
public abstract class ContinuationImpl {
    public abstract void resume();
}
