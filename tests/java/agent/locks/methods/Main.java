package methods;

import static util.Threads.each;
import static util.Threads.thrice;

/** Synchronized methods and each way out of them. */
class Data {
    int byThis;
    int byThisAndBlock;
    int byClass;
    static int statically;
    static int staticallyAndBlock;
    int afterReturn; // race: Data.afterReturn
    int afterThrow; // race: Data.afterThrow
    int afterCallee; // race: Data.afterCallee
    int afterInnerThrow;
    int inherited;
    int bridged;
    static int mixed; // race: Data.mixed

    synchronized void add() {
        byThis++;
        byThisAndBlock++;
    }

    static synchronized void addStatic() {
        statically++;
        staticallyAndBlock++;
    }

    synchronized int early(int x) {
        if (x < 0) {
            return 0;
        }
        for (int i = 0; i < 10; i++) {
            if (i == x) {
                return byThis++;
            }
        }
        return -1;
    }

    synchronized long wide(long a, double b) {
        byThis++;
        return a + (long) b;
    }

    synchronized void throwing(boolean indirectly) {
        byThis++;
        if (indirectly) {
            Object[] none = new Object[0];
            none[1] = this;
        }
        throw new IllegalStateException();
    }

    synchronized void catching() {
        try {
            throwing(true);
        } catch (ArrayIndexOutOfBoundsException expected) {
            afterInnerThrow++;
        }
    }

    synchronized void caller() {
        addStatic();
        byThis++;
    }

    synchronized void inherited() {
        inherited++;
    }

    static synchronized void mixedStatic() {
        mixed++;
    }

    synchronized void mixedInstance() {
        mixed++;
    }
}

class Sub extends Data {
    @Override
    synchronized void inherited() {
        super.inherited();
        inherited++;
    }

    synchronized final void more() {
        inherited++;
    }
}

interface Task<T> {
    void take(T value);
}

final class Bridged implements Task<String> {
    int taken;

    @Override
    public synchronized void take(String value) {
        taken++;
    }
}

public final class Main {
    static final Data DATA = new Data();
    static final Sub SUB = new Sub();
    static final Task<String> TASK = new Bridged();

    static void exits() {
        DATA.add();
        DATA.early(-1);
        DATA.early(3);
        DATA.wide(1, 2);
        DATA.afterReturn++;
        try {
            DATA.throwing(false);
        } catch (IllegalStateException expected) {
            DATA.afterThrow++;
        }
        DATA.catching();
        DATA.caller();
        DATA.afterCallee++;
        Data.addStatic();
    }

    public static void main(String[] args) {
        thrice(Main::exits);
        thrice(() -> {
            synchronized (DATA) {
                DATA.byThisAndBlock++;
            }
            synchronized (Data.class) {
                Data.staticallyAndBlock++;
            }
        });
        thrice(() -> {
            SUB.inherited();
            SUB.more();
            TASK.take("x");
        });
        each(Data::mixedStatic, DATA::mixedInstance, Data::mixedStatic);
    }
}
