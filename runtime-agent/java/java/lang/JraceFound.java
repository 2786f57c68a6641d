package java.lang;

/**
 * What came before that which a thread has found under locks, in every schedule in which it is found there: by slot, the times of those who had left it, and
 * the moments that they knew by hand-over. It never changes, so threads, clocks and stamps share it. Source: {@code checkers::order::handing}.
 */
final class JraceFound {
    static final JraceFound NOTHING = new JraceFound(JraceVector.NOTHING, JraceVector.NOTHING);

    private final long[][] times;
    private final long[][] moments;

    private JraceFound(long[][] times, long[][] moments) {
        this.times = times;
        this.moments = moments;
    }

    /** Whether an access that its thread made at this time is among it. */
    boolean has(JraceStamp access, long time) {
        return access.slot == access.timeSlot && JraceVector.at(times, access.timeSlot) >= time
                || JraceVector.at(moments, access.slot) >= access.moment;
    }

    JraceFound with(JraceFound other) {
        return with(other.times, other.moments);
    }

    /** With an access under a lock, and with what its thread knew and had found before it gave that up. */
    JraceFound with(JraceStamp left) {
        JraceFound all = with(left.found).with(JraceVector.NOTHING, left.known);
        return new JraceFound(JraceVector.put(all.times, left.timeSlot, left.first, true), all.moments);
    }

    private JraceFound with(long[][] times, long[][] moments) {
        long[][] moreTimes = JraceVector.merge(this.times, times, true);
        long[][] moreMoments = JraceVector.merge(this.moments, moments, true);
        return moreTimes == this.times && moreMoments == this.moments ? this : new JraceFound(moreTimes, moreMoments);
    }
}
