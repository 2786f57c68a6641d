package counted;

import static org.mockito.Mockito.mock;
import static util.Threads.thrice;

/** A method with two calls of a mock: Mockito counts them, so that others' come between. */
interface Service {
    int answer(int n);
}

public final class Main {
    private static final Service SERVICE = mock(Service.class);

    static void twice() {
        SERVICE.answer(1);
        Thread.yield();
        SERVICE.answer(2);
    }

    public static void main(String[] args) {
        thrice(() -> {
            for (int n = 0; n < 50; n++) {
                twice();
            }
        });
        System.out.println("done");
    }
}
