package alone;

/** What clients give where their code is called has no methods that they could call. */
public class Providing {
    /** Of whatever a client does. */
    public static class Context {
        private int depth; // race
        private int own;
    }

    /** What clients implement. */
    public interface Provider {
        Context current();
    }

    public void enter(Provider provider) {
        provider.current().depth++;
        Context context = new Context();
        context.own++;
    }
}
