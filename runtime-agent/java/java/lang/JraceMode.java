package java.lang;

import java.lang.JraceLayout.Mode;

/**
 * What this JVM was started for. The engine for accesses is chosen when the classes are defined ({@code JraceAccess}); what is left
 * here is asked within engines, and compiled code holds it as constants.
 */
final class JraceMode {
    private JraceMode() {}

    private static final int BITS = JraceAgent.mode();

    static final boolean RECORDING = has(Mode.RECORDING);
    static final boolean CHECKING = has(Mode.CHECKING);
    static final boolean BY_ELEMENT = has(Mode.BY_ELEMENT);
    static final boolean DISCOVERING = has(Mode.DISCOVERING);
    /** Some fields are presumed to be owned by their objects. */
    static final boolean OWNING = has(Mode.OWNING);
    /** Calls on objects of the library are accesses to their contents. */
    static final boolean CONTENTS = has(Mode.CONTENTS);
    /** Order between threads is known. */
    static final boolean ORDERING = has(Mode.ORDERING);
    /** What the library hands over from thread to thread is told. */
    static final boolean HANDING = has(Mode.HANDING);
    /** Stamps tell times of happens-before apart. */
    static final boolean PRECISE = has(Mode.PRECISE);
    /** Tasks that one thread runs one after the other are told apart. */
    static final boolean TASKS = has(Mode.TASKS);
    static final boolean PLACED_ACQUISITIONS = has(Mode.PLACED_ACQUISITIONS);
    static final boolean PLACED_OTHERS = has(Mode.PLACED_OTHERS);

    /** Recording every event. */
    static final boolean TRACING = RECORDING && !DISCOVERING;
    /** Recording only what can matter to transactions. */
    static final boolean SPARING = TRACING && has(Mode.SPARING);
    /** Recording what is handed over, too. */
    static final boolean TELLING = TRACING && HANDING && !SPARING;
    /** The same, without spans that are known. */
    static final boolean LEAVING_OUT = SPARING && has(Mode.LEAVING_OUT);
    /** Monitors need no entry in the stack of locks where spans are left out. */
    static final boolean COUNTING = LEAVING_OUT && !CHECKING;

    private static boolean has(int bit) {
        return (BITS & bit) != 0;
    }
}
