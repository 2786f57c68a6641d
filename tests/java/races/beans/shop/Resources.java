package shop;

import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Resources of JAX-RS: a request has one of its own, but for those that say something else. */
@Path("item")
class Resources {
    private final Stock stock;
    private int read;

    Resources(Stock stock) {
        this.stock = stock;
    }

    @GET
    public int item() {
        read++;
        return stock.take() + read;
    }
}

@Singleton
class Stock {
    private int left; // RACE

    int take() {
        return left--;
    }
}

@Path("all")
@Singleton
class Shared {
    private int read; // RACE

    @GET
    public int all() {
        return read++;
    }
}
