package told;

import static util.Threads.each;

/** A signal that no checker sees: what a thread is called that never starts. */
final class Wire {
    private final Thread signals = new Thread("0");

    void send() {
        signals.setName(String.valueOf(sent() + 1));
    }

    void receive() {
        while (sent() == 0) {
            Thread.yield();
        }
        signals.setName(String.valueOf(sent() - 1));
    }

    private int sent() {
        return Integer.parseInt(signals.getName());
    }
}

/** Hands over objects. */
final class Mailbox {
    private final Wire wire = new Wire();
    private Object letter;

    void put(Object letter) {
        this.letter = letter;
        wire.send();
    }

    Object take() {
        wire.receive();
        return letter;
    }
}

/** Excludes. */
final class Gate {
    private final Wire wire = new Wire();

    Gate() {
        wire.send();
    }

    Gate enter() {
        wire.receive();
        return this;
    }

    boolean tryEnter(boolean succeeds) {
        if (succeeds) {
            wire.receive();
        }
        return succeeds;
    }

    void leave() {
        wire.send();
    }
}

/** Is handed over. */
final class Letter {
    int before;
    int after; // race: Letter.after
    int unsent; // race: Letter.unsent
}

final class Guarded {
    int same;
    int tried;
    int untaken; // race: Guarded.untaken
    int other; // race: Guarded.other
}

public final class Main {
    static final Mailbox BOX = new Mailbox();
    static final Gate GATE = new Gate();
    static final Gate ANOTHER = new Gate();
    static final Letter LETTER = new Letter();
    static final Guarded GUARDED = new Guarded();

    static void write() {
        LETTER.before++;
        LETTER.unsent++;
        BOX.put(LETTER);
        LETTER.after++;
    }

    static void read() {
        LETTER.unsent++;
        Letter letter = (Letter) BOX.take();
        letter.before++;
        letter.after++;
    }

    static void enter(Gate gate) {
        GATE.enter();
        GUARDED.same++;
        GATE.leave();
        gate.enter();
        GUARDED.other++;
        gate.leave();
        if (GATE.tryEnter(true)) {
            GUARDED.tried++;
            GATE.leave();
        }
        if (!GATE.tryEnter(false)) {
            GUARDED.untaken++;
        }
    }

    public static void main(String[] args) {
        each(Main::write, Main::read);
        each(() -> enter(GATE), () -> enter(ANOTHER), () -> enter(GATE));
    }
}
