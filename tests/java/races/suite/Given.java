package suite;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.runners.Parameterized.Parameters;

/** JUnit 4 gives the constructor what the parameters are. */
public class Given {
    static class Stock {
        int left; // race

        void sell() {
            left--;
        }
    }

    /** Nobody makes one. */
    static class Counted extends Stock {
        static int sales;

        @Override
        void sell() {
            new Thread(() -> sales++).start();
            sales++;
        }
    }

    private final Stock stock;

    public Given(Stock stock) {
        this.stock = stock;
    }

    @Parameters
    public static List<Object[]> parameters() {
        return List.<Object[]>of(new Object[] {new Stock()});
    }

    @Test
    public void sells() {
        new Thread(stock::sell).start();
        stock.sell();
    }
}
