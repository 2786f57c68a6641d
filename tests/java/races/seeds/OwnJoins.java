package seeds;

/** Each round starts threads and joins them, and then looks at what these have for themselves; and some that look too early, or at others. */
public class OwnJoins {
    static final int MANY = 3;
    static int seen;

    /** A thread, and what it holds. */
    static class Worker extends Thread {
        int joinedResult;
        int joinedPairs;
        int joinedOrLeft;
        int beforeJoin; // race
        int afterWhile; // race
        int afterSome; // race
        int afterInterrupt; // race
        int ofAnother; // race
        int ofLast; // race
        int beforeStart; // race
        int ofChild; // race
        final Part part = new Part();

        @Override
        public void run() {
            joinedResult++;
            joinedPairs++;
            joinedOrLeft++;
            beforeJoin++;
            afterWhile++;
            afterSome++;
            afterInterrupt++;
            ofAnother++;
            ofLast++;
            beforeStart++;
            part.joinedPart++;
            new Thread(() -> ofChild++).start();
        }
    }

    static class Part {
        int joinedPart;
    }

    static class Box {
        int joinedCapture;
        int joinedAnonymous;
        int ofTwo; // race
        int givenOn; // race
    }

    static class Task implements Runnable {
        int joinedTask;

        @Override
        public void run() {
            joinedTask++;
        }
    }

    static class Twice implements Runnable {
        int runTwice; // race

        @Override
        public void run() {
            runTwice++;
        }
    }

    /** What it gets, it gives to another one. */
    static class Giver extends Thread {
        private volatile Box box;

        Giver(Box box, Giver to) {
            if (to != null) {
                to.box = box;
            }
        }

        @Override
        public void run() {
            if (box != null) {
                box.givenOn++;
            }
        }
    }

    /** Others may call what its thread runs. */
    static class Called extends Thread {
        int calledToo; // race

        @Override
        public void run() {
            calledToo++;
        }
    }

    /** What it holds is a thread itself. */
    static class Leader extends Thread {
        final Follower follower = new Follower();

        @Override
        public void run() {
            follower.start();
        }
    }

    static class Follower extends Thread {
        int ofFollower; // race

        @Override
        public void run() {
            ofFollower++;
        }
    }

    static class Prompt extends Thread {
        int startedLate; // race

        @Override
        public void run() {
            startedLate++;
        }
    }

    /** Who starts it has another one do it, some time. */
    static class Late extends Prompt {
        @Override
        public void start() {
            new Thread(this::begin).start();
        }

        private void begin() {
            super.start();
        }
    }

    static void result() throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        worker.join();
        seen += worker.joinedResult + worker.part.joinedPart + worker.ofChild;
    }

    static void pair() throws InterruptedException {
        Worker one = new Worker();
        Worker two = new Worker();
        one.start();
        two.start();
        one.join();
        two.join();
        seen += one.joinedPairs + two.joinedPairs;
    }

    static void orLeft() {
        Worker worker = new Worker();
        worker.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            return;
        }
        seen += worker.joinedOrLeft;
    }

    static void task() throws InterruptedException {
        Task task = new Task();
        Thread thread = new Thread(task, "worker");
        thread.start();
        thread.join();
        seen += task.joinedTask;
    }

    static void captured() throws InterruptedException {
        Box box = new Box();
        Thread thread = new Thread(() -> box.joinedCapture++);
        thread.start();
        thread.join();
        seen += box.joinedCapture;
    }

    static void anonymous() throws InterruptedException {
        Box box = new Box();
        Thread thread = new Thread(new Runnable() {
            @Override
            public void run() {
                box.joinedAnonymous++;
            }
        });
        thread.start();
        thread.join();
        seen += box.joinedAnonymous;
    }

    static void tooEarly() throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        seen += worker.beforeJoin;
        worker.join();
    }

    static void timed() throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        worker.join(10);
        seen += worker.afterWhile;
    }

    static void sometimes() throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        if (seen > 9) {
            worker.join();
        }
        seen += worker.afterSome;
    }

    static void swallowed() {
        Worker worker = new Worker();
        worker.start();
        try {
            worker.join();
        } catch (InterruptedException e) {
            seen++;
        }
        seen += worker.afterInterrupt;
    }

    static void another() throws InterruptedException {
        Worker one = new Worker();
        Worker two = new Worker();
        one.start();
        two.start();
        one.join();
        seen += two.ofAnother;
    }

    static void last() throws InterruptedException {
        Worker before = null;
        Worker worker = null;
        for (int i = 0; i < MANY; i++) {
            before = worker;
            worker = new Worker();
            worker.start();
        }
        worker.join();
        seen += before.ofLast;
    }

    static void joinedFirst() throws InterruptedException {
        Worker worker = new Worker();
        worker.join();
        worker.start();
        seen += worker.beforeStart;
    }

    static void oneOfTwo() throws InterruptedException {
        Box box = new Box();
        Thread one = new Thread(() -> box.ofTwo++);
        Thread two = new Thread(() -> box.ofTwo--);
        one.start();
        two.start();
        one.join();
        seen += box.ofTwo;
    }

    static void twice() throws InterruptedException {
        Twice task = new Twice();
        Thread one = new Thread(task);
        Thread two = new Thread(task);
        one.start();
        two.start();
        one.join();
        seen += task.runTwice;
    }

    static void given() throws InterruptedException {
        Box box = new Box();
        Giver other = new Giver(null, null);
        Giver giver = new Giver(box, other);
        other.start();
        giver.start();
        giver.join();
        seen += box.givenOn;
    }

    static void called() throws InterruptedException {
        Called called = new Called();
        new Thread(() -> called.run()).start();
        called.start();
        called.join();
        seen += called.calledToo;
    }

    static void follower() throws InterruptedException {
        Leader leader = new Leader();
        leader.start();
        leader.join();
        seen += leader.follower.ofFollower;
    }

    static void late() throws InterruptedException {
        Prompt thread = seen > 9 ? new Prompt() : new Late();
        thread.start();
        thread.join();
        seen += thread.startedLate;
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < MANY; i++) {
            result();
            pair();
            orLeft();
            task();
            captured();
            anonymous();
            tooEarly();
            timed();
            sometimes();
            swallowed();
            another();
            last();
            joinedFirst();
            oneOfTwo();
            twice();
            given();
            called();
            follower();
            late();
            Service.launch().report();
            capturedToo();
            rounds();
            eachRound();
        }
    }

    /** A thread of its own writes here, whoever else looks. */
    static class Service implements Runnable {
        int ofService; // race

        static Service launch() {
            Service service = new Service();
            new Thread(service).start();
            return service;
        }

        @Override
        public void run() {
            ofService++;
        }

        void report() throws InterruptedException {
            Thread helper = new Thread(() -> System.out.println(name()));
            helper.start();
            helper.join();
            seen += ofService;
        }

        private String name() {
            return "service";
        }
    }

    static class Running extends Thread {
        final Counts counts = new Counts();

        @Override
        public void run() {
            counts.ofRunning++;
        }
    }

    static class Counts {
        int ofRunning; // race
        int ofRound; // race
        int joinedRound;
    }

    /** Who was joined has what somebody else runs with. */
    static void capturedToo() throws InterruptedException {
        Running running = new Running();
        running.start();
        Counts counts = running.counts;
        Thread saver = new Thread(() -> System.out.println(counts));
        saver.start();
        saver.join();
        seen += counts.ofRunning;
    }

    /** The thread of this round has ended, and not that of the one before. */
    static void rounds() throws InterruptedException {
        Counts before = null;
        for (int i = 0; i < MANY; i++) {
            Counts now = new Counts();
            Thread filler = new Thread(() -> now.ofRound++);
            filler.start();
            if (before != null) {
                filler.join();
                seen += before.ofRound;
            }
            before = now;
        }
    }

    static void eachRound() throws InterruptedException {
        for (int i = 0; i < MANY; i++) {
            Counts now = new Counts();
            Thread filler = new Thread(() -> now.joinedRound++);
            filler.start();
            filler.join();
            seen += now.joinedRound;
        }
    }
}
