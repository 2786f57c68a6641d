package seeds;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Halves of a read-write lock that final fields keep. */
public class Halves {
    private static final ReentrantReadWriteLock SHARED = new ReentrantReadWriteLock();
    private static final Lock WRITING = SHARED.writeLock();
    private final ReentrantReadWriteLock both = new ReentrantReadWriteLock();
    private final ReentrantReadWriteLock other = new ReentrantReadWriteLock();
    private final Lock reading = both.readLock();
    private final Lock writing = both.writeLock();
    private final Lock otherWriting = other.writeLock();
    private int asWriter;
    private int asReader; // race
    private int onStatic;
    private int onTwo; // race
    private int afterwards; // race
    private int ofEach;
    private int ofEachReader; // race

    void write() {
        writing.lock();
        try {
            asWriter++;
        } finally {
            writing.unlock();
        }
        WRITING.lock();
        try {
            onStatic++;
        } finally {
            WRITING.unlock();
        }
    }

    int read() {
        reading.lock();
        try {
            asReader++;
            return asWriter;
        } finally {
            reading.unlock();
        }
    }

    void one() {
        writing.lock();
        onTwo++;
        writing.unlock();
        afterwards++;
    }

    void another() {
        otherWriting.lock();
        onTwo++;
        otherWriting.unlock();
        writing.lock();
        afterwards++;
        writing.unlock();
    }

    void addToEach() {
        both.writeLock().lock();
        try {
            ofEach++;
        } finally {
            both.writeLock().unlock();
        }
    }

    int readEach() {
        both.readLock().lock();
        try {
            return ofEach + ofEachReader++;
        } finally {
            both.readLock().unlock();
        }
    }

    void all() {
        write();
        read();
        one();
        another();
    }

    public static void main(String[] args) {
        Halves halves = new Halves();
        halves.asWriter = 1;
        onStart(halves);
        new Thread(() -> halves.all()).start();
        halves.all();
        Halves[] many = {new Halves(), new Halves()};
        for (int i = 0; i < many.length; i++) {
            many[i] = new Halves();
        }
        for (Halves each : many) {
            new Thread(() -> each.addToEach()).start();
            new Thread(() -> each.readEach()).start();
            each.addToEach();
            each.readEach();
        }
    }

    private static void onStart(Halves halves) {
        halves.onStatic = 1;
    }
}
