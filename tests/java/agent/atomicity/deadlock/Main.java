package deadlock;

import static util.Threads.inTurns;

import java.util.concurrent.locks.ReentrantLock;

/** Locks the first account, then the second: two transfers in opposite directions may wait for each other. */
final class Account {
    private final int number;
    private int balance;

    Account(int number) {
        this.number = number;
    }

    // deadlock: Account.depositBad
    static void transferBad(Account from, Account to) {
        synchronized (from) {
            from.balance--;
            to.depositBad();
        }
    }

    synchronized void depositBad() {
        balance++;
    }

    /** The smaller number first. */
    static void transferOk(Account from, Account to) {
        Account first = from.number < to.number ? from : to;
        Account second = first == from ? to : from;
        synchronized (first) {
            synchronized (second) {
                from.balance--;
                to.balance++;
            }
        }
    }
}

/** Library locks, and a lock around both orders. */
final class Locks {
    private final ReentrantLock a = new ReentrantLock();
    private final ReentrantLock b = new ReentrantLock();
    private final Object gate = new Object();

    // deadlock: Locks.nest
    void forwardBad() {
        nest(a, b);
    }

    void backwardBad() {
        nest(b, a);
    }

    void forwardOk() {
        synchronized (gate) {
            nest(a, b);
        }
    }

    void backwardOk() {
        synchronized (gate) {
            nest(b, a);
        }
    }

    private static void nest(ReentrantLock outer, ReentrantLock inner) {
        outer.lock();
        try {
            inner.lock();
            inner.unlock();
        } finally {
            outer.unlock();
        }
    }
}

public final class Main {
    public static void main(String[] args) {
        Account one = new Account(1);
        Account two = new Account(2);
        inTurns(() -> Account.transferBad(one, two), () -> Account.transferBad(two, one));
        Account three = new Account(3);
        Account four = new Account(4);
        inTurns(() -> Account.transferOk(three, four), () -> Account.transferOk(four, three));
        Locks bad = new Locks();
        inTurns(bad::forwardBad, bad::backwardBad);
        Locks ok = new Locks();
        inTurns(ok::forwardOk, ok::backwardOk);
    }
}
