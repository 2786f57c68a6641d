package bank;

/**
 * Tellers move money between accounts. An ordinary transfer takes both account locks, in the order of the account
 * numbers; the express counter, added later, takes none, so money is lost or made.
 *
 * <p>Arguments: tellers, transfers of each; with a third one it also prints who closed last.
 */
public final class Bank {
    private static final int OPENING_BALANCE = 100;

    private final Account[] accounts;
    private int transfers;
    // race: Bank.expressTransfers
    private int expressTransfers;
    // overlooked: Bank.lastToClose -- each teller writes once, under its own lock; the second one's starts the lock set
    private String lastToClose;

    private Bank(int size) {
        accounts = new Account[size];
        for (int i = 0; i < size; i++) {
            accounts[i] = new Account(OPENING_BALANCE);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int tellers = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
        Bank bank = new Bank(4);
        bank.open(tellers, rounds);
        System.out.println("ordinary transfers: " + bank.transfers());
        System.out.println("racy total: " + bank.total());
        if (args.length > 2) {
            System.out.println("racy last to close: " + bank.lastToClose);
        }
    }

    private void open(int tellers, int rounds) throws InterruptedException {
        Thread[] threads = new Thread[tellers];
        for (int i = 0; i < tellers; i++) {
            threads[i] = new Thread(new Teller(this, i, rounds));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    int size() {
        return accounts.length;
    }

    void transfer(int from, int to, int amount) {
        synchronized (accounts[Math.min(from, to)]) {
            synchronized (accounts[Math.max(from, to)]) {
                accounts[from].add(-amount);
                accounts[to].add(amount);
            }
        }
        countTransfer();
    }

    /** Bug: neither the two accounts nor the counter are locked. */
    void express(int from, int to, int amount) {
        accounts[from].add(-amount);
        accounts[to].add(amount);
        expressTransfers++;
    }

    void setLastToClose(String teller) {
        lastToClose = teller;
    }

    private synchronized void countTransfer() {
        transfers++;
    }

    private synchronized int transfers() {
        return transfers;
    }

    private int total() {
        int total = 0;
        for (Account account : accounts) {
            total += account.balance();
        }
        return total;
    }
}
