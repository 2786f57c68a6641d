package bank;

/** One account. Everyone but the express counter holds the account's own lock. */
final class Account {
    // race: Account.balance
    private int balance;

    Account(int balance) {
        this.balance = balance;
    }

    synchronized int balance() {
        return balance;
    }

    /** The caller decides about the lock: ordinary transfers hold it, the express counter does not. */
    void add(int amount) {
        balance += amount;
    }
}
