package hazards;

/** Another thread sees the money that has left one account and not come to the other. */
final class Bank {
    private final Account first = new Account();
    private final Account second = new Account();

    // atomicity: Bank.transferBad
    void transferBad(int amount) {
        first.add(-amount);
        second.add(amount);
    }

    void transferOk(int amount) {
        synchronized (first) {
            synchronized (second) {
                first.add(-amount);
                second.add(amount);
            }
        }
    }

    int total() {
        synchronized (first) {
            synchronized (second) {
                return first.balance() + second.balance();
            }
        }
    }
}
