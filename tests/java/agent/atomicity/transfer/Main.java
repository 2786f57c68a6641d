package transfer;

import static util.Threads.inTurns;

final class Account {
    private int balance = 100;

    synchronized void add(int amount) {
        balance += amount;
    }

    synchronized int balance() {
        return balance;
    }
}

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

public final class Main {
    public static void main(String[] args) {
        Bank bad = new Bank();
        inTurns(() -> bad.transferBad(10), bad::total);
        Bank ok = new Bank();
        inTurns(() -> ok.transferOk(10), ok::total, () -> ok.transferOk(20));
    }
}
