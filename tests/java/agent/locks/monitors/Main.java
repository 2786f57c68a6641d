package monitors;

import static util.Threads.each;
import static util.Threads.thrice;

/** Synchronized blocks. */
final class Data {
    static final Object LOCK = new Object();
    static final Object OTHER = new Object();

    int guarded;
    int unguarded; // race: Data.unguarded
    int nested;
    int afterBlock; // race: Data.afterBlock
    int guardedByAnother; // race: Data.guardedByAnother
    int afterNull; // race: Data.afterNull
    int guardedAfterNull;
    int inner;
    int afterInner;
    int afterOuter; // race: Data.afterOuter
    int guardedByClass;
    int guardedByThis;
    int afterException; // race: Data.afterException
    int afterBreak; // race: Data.afterBreak
    int afterReturn; // race: Data.afterReturn
    int inReturn;
    int partly; // race: Data.partly
    int onlyRead;
    int writtenOnceThenRead;

    int returning() {
        synchronized (LOCK) {
            return ++inReturn;
        }
    }

    void throwing() {
        synchronized (LOCK) {
            synchronized (OTHER) {
                throw new IllegalArgumentException();
            }
        }
    }
}

public final class Main {
    static final Data DATA = new Data();

    static void blocks() {
        synchronized (Data.LOCK) {
            DATA.guarded++;
            synchronized (Data.OTHER) {
                DATA.nested++;
                DATA.inner++;
            }
            DATA.afterInner++;
        }
        DATA.afterOuter++;
        DATA.unguarded++;
        DATA.afterBlock++;
        synchronized (Data.class) {
            DATA.guardedByClass++;
        }
        synchronized (DATA) {
            DATA.guardedByThis++;
        }
    }

    static void exits() {
        try {
            DATA.throwing();
        } catch (IllegalArgumentException expected) {
            DATA.afterException++;
        }
        for (int i = 0; i < 3; i++) {
            synchronized (Data.LOCK) {
                if (i == 1) {
                    break;
                }
            }
        }
        DATA.afterBreak++;
        DATA.returning();
        DATA.afterReturn++;
    }

    static void nothing() {
        Object lock = null;
        try {
            synchronized (lock) {
                DATA.afterNull--;
            }
        } catch (NullPointerException expected) {
            DATA.afterNull++;
            synchronized (Data.LOCK) {
                DATA.guardedAfterNull++;
            }
        }
    }

    public static void main(String[] args) {
        DATA.writtenOnceThenRead = 7;
        thrice(Main::blocks);
        thrice(Main::exits);
        thrice(Main::nothing);
        thrice(() -> {
            synchronized (new Object()) {
                DATA.guardedByAnother++;
            }
        });
        each(() -> {
            synchronized (Data.LOCK) {
                DATA.partly++;
            }
        }, () -> {
            synchronized (Data.LOCK) {
                DATA.partly++;
            }
        }, () -> DATA.partly++);
        int[] sum = {0};
        thrice(() -> System.out.println(DATA.onlyRead + DATA.writtenOnceThenRead));
        System.out.println(DATA.nested + sum[0]); // race: Data.nested
    }
}
