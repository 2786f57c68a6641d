package claims;

@interface Atomic {}

@interface NotAtomic {}

/** What is said to be atomic and is not, with the two events that break it: `first` and `second`. */
class Account {
    private int balance;
    volatile int version;
    int racy;

    @Atomic
    synchronized void depositOk(int n) {
        balance += n;
    }

    synchronized int balance() {
        return balance;
    }

    @Atomic
    void depositBad(int n) { // claim: Account.depositBad
        int old = balance(); // first: Account.depositBad atomic
        set(old + n); // second: Account.depositBad atomic
    }

    private synchronized void set(int n) {
        balance = n;
    }

    /** One callee is enough: what it does says more. */
    @Atomic
    void viaCallee() { // claim: Account.viaCallee
        touch();
    }

    private void touch() {
        version = 1; // first: Account.viaCallee atomic
        balance(); // second: Account.viaCallee atomic
    }

    @Atomic
    synchronized void waits() throws InterruptedException { // claim: Account.waits
        while (balance == 0) {
            wait(); // second: Account.waits cmpd
        }
    }

    @Atomic
    void sections() { // claim: Account.sections
        synchronized (this) {
            balance++;
        } // first: Account.sections left mover
        synchronized (this) { // second: Account.sections right mover
            balance--;
        }
    }

    @Atomic
    void races() { // claim: Account.races
        if (racy == 0) { // first: Account.races atomic
            racy = 1; // second: Account.races atomic
        }
    }
}

@Atomic
class All {
    private int n;

    synchronized void ok() {
        n++;
    }

    void bad() { // claim: All.bad
        ok(); // first: All.bad atomic
        ok(); // second: All.bad atomic
    }

    @NotAtomic
    void said() {
        bad();
    }
}

final class Main {
    static final Account ACCOUNT = new Account();
    static final All ALL = new All();

    public static void main(String[] args) throws Exception {
        Runnable all = () -> {
            ACCOUNT.depositBad(1);
            ACCOUNT.depositOk(1);
            ACCOUNT.sections();
            ACCOUNT.viaCallee();
            ACCOUNT.races();
            ALL.said();
        };
        new Thread(all).start();
        all.run();
        ACCOUNT.waits();
    }
}
