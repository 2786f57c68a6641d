package outside;

/** What clients call. */
public class Api {
    private int calls;

    public void use(Handler handler) {
        calls++;
        handler.handle();
    }
}
