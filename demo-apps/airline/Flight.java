package airline;

/** A flight whose agents look, then sell, without any lock: the same seat goes to two passengers. */
final class Flight {
    private final int[] seats; // chance: Flight.seats[] -- two agents have to sell the same seat
    private int sold; // race: Flight.sold
    private int requests; // race: Flight.requests
    private boolean soldOut; // race: Flight.soldOut

    Flight(int capacity) {
        seats = new int[capacity];
    }

    /** Bug: check then act, and every access is unlocked. The seat is read once, so that the index stays valid. */
    boolean sell(int agent) {
        requests++;
        int seat = sold;
        if (soldOut || seat >= seats.length) {
            return false;
        }
        seats[seat] = agent;
        sold = seat + 1;
        return true;
    }

    void endShift() {
        soldOut = sold >= seats.length;
    }

    int capacity() {
        return seats.length;
    }
}
