package fields;

import static util.Threads.each;
import static util.Threads.thrice;

/** A field of a superclass and one of the same name below it are two variables. */
class Base {
    int shadowed;
    int shadowedBelow; // race: Base.shadowedBelow
    int inherited; // race: Base.inherited
    int guarded;
    long wide; // race: Base.wide
    double floating; // race: Base.floating
    volatile int signal;
    volatile long wideSignal;
    final int constant;
    final int[] constantElements = {1};

    Base(int constant) {
        this.constant = constant;
    }

    void viaSuper() {
        shadowedBelow++;
        synchronized (this) {
            shadowed++;
        }
    }
}

class Middle extends Base {
    Middle() {
        super(1);
    }
}

final class Sub extends Middle {
    int shadowed; // race: Sub.shadowed
    int shadowedBelow;
    Object reference; // race: Sub.reference
    private int hidden; // race: Sub.hidden
    byte small; // race: Sub.small
    boolean flag; // race: Sub.flag
    char letter; // race: Sub.letter
    short brief; // race: Sub.brief
    float single; // race: Sub.single
    int[] elements = new int[1]; // race: Sub.elements

    final class Inner {
        private int own; // race: Sub$Inner.own

        void touch() {
            hidden++;
            own++;
            Runnable lambda = () -> hidden--;
            lambda.run();
            new Object() {
                int local = hidden;

                void go() {
                    local++;
                    hidden += local;
                }
            }.go();
        }
    }

    void touch() {
        shadowed++;
        synchronized (this) {
            shadowedBelow++;
            super.shadowed++;
            guarded++;
        }
        inherited++;
        wide += 3;
        floating *= 2;
        signal++;
        wideSignal++;
        reference = this;
        small++;
        flag = !flag;
        letter++;
        brief++;
        single++;
        elements = new int[constant + constantElements[0]];
        viaSuper();
    }
}

/** One racy object does not make the others racy. */
final class Cell {
    int value; // race: Cell.value
    int other;
}

public final class Main {
    static final Sub SUB = new Sub();
    static final Sub.Inner INNER = SUB.new Inner();
    static final Cell[] CELLS = {new Cell(), new Cell(), new Cell()};

    public static void main(String[] args) {
        thrice(() -> {
            SUB.touch();
            INNER.touch();
        });
        each(() -> CELLS[0].other++, () -> CELLS[1].other++, () -> CELLS[2].other++);
        each(() -> CELLS[0].value++, () -> CELLS[0].value++, () -> CELLS[2].value++);
    }
}
