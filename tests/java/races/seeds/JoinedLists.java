package seeds;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Loops that join all threads of a list, and some that leave one out. */
public class JoinedLists {
    private static int filled;
    private static int before;
    private static int numbered;
    private static int inTwoLoops;
    private static int unlisted; // race
    private static int skipped; // race
    private static int known; // race
    private static int snapshot; // race
    private static int cleared; // race
    private static int counted; // race
    private static int halfway; // race
    private static int forgotten; // race
    private static int removed; // race

    private static void add(List<Thread> threads) {
        threads.clear();
    }

    static void filled(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    filled++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        filled++;
    }

    static void before(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    before++;
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        before++;
    }

    static void numbered(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            threads.add(new Thread(() -> {
                synchronized (JoinedLists.class) {
                    numbered++;
                }
            }));
            threads.get(i).start();
        }
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i).join();
        }
        numbered++;
    }

    static void inTwoLoops(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            threads.add(new Thread(() -> {
                synchronized (JoinedLists.class) {
                    inTwoLoops++;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        inTwoLoops++;
    }

    static void unlisted(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    unlisted++;
                }
            });
            thread.start();
            if (i > 1) {
                threads.add(thread);
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        unlisted++;
    }

    static void skipped(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    skipped++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        Iterator<Thread> all = threads.iterator();
        all.next();
        while (all.hasNext()) {
            all.next().join();
        }
        skipped++;
    }

    static void known(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    known++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        add(threads);
        for (Thread thread : threads) {
            thread.join();
        }
        known++;
    }

    /** The iterator knows nothing of what is added later. */
    static void snapshot(int n) throws InterruptedException {
        List<Thread> threads = new CopyOnWriteArrayList<>();
        Iterator<Thread> all = threads.iterator();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    snapshot++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        while (all.hasNext()) {
            all.next().join();
        }
        snapshot++;
    }

    static void cleared(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    cleared++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        threads.clear();
        for (Thread thread : threads) {
            thread.join();
        }
        cleared++;
    }

    static void counted(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        int size = threads.size();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    counted++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (int i = 0; i < size; i++) {
            threads.get(i).join();
        }
        counted++;
    }

    /** Another thread is made before the one that runs is listed. */
    static void halfway(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    halfway++;
                }
            });
            thread.start();
            if (i % 2 == 0) {
                continue;
            }
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        halfway++;
    }

    /** On every way a thread is listed, and not the first one. */
    static void forgotten() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        boolean isFirst = true;
        while (true) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    forgotten++;
                }
            });
            thread.start();
            if (isFirst) {
                isFirst = false;
                continue;
            }
            threads.add(thread);
            break;
        }
        for (Thread thread : threads) {
            thread.join();
        }
        forgotten++;
    }

    /** By another iterator. */
    static void removed(int n) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                synchronized (JoinedLists.class) {
                    removed++;
                }
            });
            threads.add(thread);
            thread.start();
        }
        Iterator<Thread> first = threads.iterator();
        first.next();
        first.remove();
        for (Thread thread : threads) {
            thread.join();
        }
        removed++;
    }

    public static void main(String[] args) throws InterruptedException {
        filled(args.length);
        before(args.length);
        numbered(args.length);
        inTwoLoops(args.length);
        unlisted(args.length);
        skipped(args.length);
        known(args.length);
        snapshot(args.length);
        cleared(args.length);
        counted(args.length);
        halfway(args.length);
        forgotten();
        removed(args.length);
    }
}
