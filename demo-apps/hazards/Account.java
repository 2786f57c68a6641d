package hazards;

final class Account {
    private int balance = 100;

    synchronized void add(int amount) {
        balance += amount;
    }

    synchronized int balance() {
        return balance;
    }
}
