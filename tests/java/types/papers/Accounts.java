package papers;

import net.jcip.annotations.GuardedBy;

/** Paper 002, sections 2 and 3.1: bank accounts that race, that lock, and whose clients lock. */
public class Accounts {
    static class RacyAccount {
        private int balance = 0; // type: unsafe

        void deposit(int x) {
            balance = balance + x;
        }
    }

    static class LockedAccount {
        @GuardedBy("this") private int balance = 0; // type: guarded this

        void deposit(int x) {
            synchronized (this) {
                balance = balance + x;
            }
        }
    }

    static class ClientLockedAccount {
        @GuardedBy("this") private int balance = 0; // type: guarded this

        @GuardedBy("this")
        void deposit(int x) {
            balance = balance + x;
        }
    }

    public static void main(String[] arguments) {
        RacyAccount racy = new RacyAccount();
        LockedAccount locked = new LockedAccount();
        ClientLockedAccount client = new ClientLockedAccount();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                racy.deposit(10);
                locked.deposit(10);
                synchronized (client) {
                    client.deposit(10);
                }
            }).start();
        }
    }
}
