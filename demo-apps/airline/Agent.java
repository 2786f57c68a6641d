package airline;

/** A travel agent: asks for more seats than there are, so every agent meets both a free and a full flight. */
final class Agent implements Runnable {
    private final Flight flight;
    private final int id;
    private final int customers;
    private int tickets;

    Agent(Flight flight, int id, int customers) {
        this.flight = flight;
        this.id = id;
        this.customers = customers;
    }

    @Override
    public void run() {
        for (int customer = 0; customer < customers; customer++) {
            if (flight.sell(id)) {
                tickets++;
            }
        }
        flight.endShift();
    }

    /** Read by main after the thread has ended. */
    int tickets() {
        return tickets;
    }
}
