import java.util.concurrent.Callable;

/** Which methods are transactions, and that each ends whichever way it is left. */
public class Transactional {
    int x;
    int y;
    final int fixed = 1;
    static int shared;

    // hooks: begin readField writeField end
    public void increments() { x++; }
    // hooks: begin readField writeField end
    void ofThePackage() { x++; }
    // hooks: begin enterMethod readField writeField exitMethod end
    public synchronized void method() { x++; }
    // hooks: begin enterMethod readStatic writeStatic exitMethod end
    public static synchronized void staticMethod() { shared++; }
    // hooks: begin begin enterMethod exitMethod end end
    public void fails() { try { failing(); } catch (RuntimeException e) { } }
    private synchronized void failing() { throw new RuntimeException(); }
    // hooks: begin readField end
    public int returnsEarly() { if (x > 100) return y; return 1; }
    // hooks: begin end
    public void throwsAndCatches() { try { throwing(); } catch (RuntimeException e) { } }
    private void throwing() { throw new RuntimeException(); }
    // hooks: begin begin end end
    public void inner() { try { innerThrowing(); } catch (RuntimeException e) { } }
    void innerThrowing() { throwing(); }
    // hooks: begin readField writeField readField writeField end
    public void calls() { once(); once(); }
    private void once() { x++; }
    // hooks: begin enterAtomic readField writeField exit end
    public void block() { synchronized (this) { x++; } }
    // hooks: begin enterAtomic exit end
    public void failingBlock() { try { synchronized (this) { throwing(); } } catch (RuntimeException e) { } }

    // What cannot matter.
    // hooks: readField
    public int reads() { return x; }
    // hooks: -
    public int readsFinal() { return fixed; }
    // hooks: -
    public void nothing() { }
    // hooks: begin readField readField readField end
    public int loops() { int sum = 0; for (int i = 0; i < 3; i++) sum += x; return sum; }

    // What is not expected to be atomic.
    // hooks: begin readField writeField end
    public void task() throws Exception { new Task().run(); new Task().call(); Task.main(new String[0]); }
    private class Task implements Runnable, Callable<Integer> {
        public void run() { x++; }
        public Integer call() { return null; }
        public static void main(String[] arguments) { }
    }
    // hooks: readField writeField
    protected void ofSubclasses() { x++; }
    @Test(cases = {@Case(names = {"a", "b"}, kind = Kind.ODD), @Case})
    // hooks: readField writeField
    public void test() { x++; }
    @NotAtomic
    // hooks: enterAtomic readField writeField exit
    public void denied() { synchronized (this) { x++; } }
    // hooks: begin begin readField writeField end end
    public void claims() { claimed(); }
    // hooks: begin readField writeField end
    public void excepted() { new Excepted().method(); }
    @Atomic private void claimed() { x++; }
    @NotAtomic static class Excepted { int z; void method() { z++; } }

    enum Kind { EVEN, ODD }
    @interface Case { String[] names() default {}; Kind kind() default Kind.EVEN; Class<?> type() default Object.class; }
    @interface Test { Case[] cases(); }
    @interface Atomic { }
    @interface NotAtomic { }

    private final java.util.Map<String, Integer> map = new java.util.concurrent.ConcurrentHashMap<>();
    // hooks: begin readContents readContents end
    public int readsMap() { return map.isEmpty() ? map.getOrDefault("a", 1) : 0; }
    // hooks: begin writeContents writeContents end
    public void writesMap() { map.put("a", 2); map.remove("a"); }
    // hooks: begin end
    public void mergesMap() { map.merge("b", 1, Integer::sum); }
}
