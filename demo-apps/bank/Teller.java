package bank;

/** A thread with its own list of transfers: every fourth one goes over the express counter. */
final class Teller implements Runnable {
    private static final int EXPRESS_EVERY = 4;

    private final Bank bank;
    private final int id;
    private final int rounds;

    Teller(Bank bank, int id, int rounds) {
        this.bank = bank;
        this.id = id;
        this.rounds = rounds;
    }

    @Override
    public void run() {
        for (int round = 0; round < rounds; round++) {
            move(round);
        }
        closeCounter();
    }

    private void move(int round) {
        int from = (id + round) % bank.size();
        int to = (from + 1) % bank.size();
        if (round % EXPRESS_EVERY == 0) {
            bank.express(from, to, 1);
        } else {
            bank.transfer(from, to, 1);
        }
    }

    /** Bug: the lock is this teller's, so it excludes nobody. */
    private synchronized void closeCounter() {
        bank.setLastToClose("teller " + id);
    }
}
