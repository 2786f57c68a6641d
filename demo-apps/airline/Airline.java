package airline;

/**
 * Travel agents sell tickets of one flight beyond its capacity.
 *
 * <p>Arguments: agents, seats.
 */
public final class Airline {
    private static final int GROUP_BOOKING = 0;

    private Airline() {}

    public static void main(String[] args) throws InterruptedException {
        int nAgents = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int seats = args.length > 1 ? Integer.parseInt(args[1]) : 500;
        Flight flight = new Flight(seats);
        // The first seat is sold before the agents start: whichever agent comes first writes to a shared flight.
        flight.sell(GROUP_BOOKING);
        Agent[] agents = new Agent[nAgents];
        for (int i = 0; i < nAgents; i++) {
            agents[i] = new Agent(flight, i + 1, 2 * seats);
        }
        sellAll(agents);
        report(flight, agents);
    }

    private static void sellAll(Agent[] agents) throws InterruptedException {
        Thread[] threads = new Thread[agents.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(agents[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(Flight flight, Agent[] agents) {
        int tickets = 1;
        for (Agent agent : agents) {
            tickets += agent.tickets();
        }
        System.out.println("seats: " + flight.capacity());
        System.out.println("racy tickets: " + tickets);
    }
}
