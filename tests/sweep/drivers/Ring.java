import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.util.DaemonThreadFactory;

/** Two handlers sum what one producer publishes. */
public final class Ring {
    static final class Slot {
        long value;
    }

    static final class Sum {
        long value;
    }

    public static void main(String[] args) throws Exception {
        Disruptor<Slot> disruptor = new Disruptor<>(Slot::new, 256, DaemonThreadFactory.INSTANCE);
        Sum first = new Sum();
        Sum second = new Sum();
        disruptor
                .handleEventsWith((slot, sequence, last) -> first.value += slot.value)
                .then((slot, sequence, last) -> second.value += 2 * slot.value);
        RingBuffer<Slot> ring = disruptor.start();
        for (long i = 0; i < 10000; i++) {
            long value = i;
            ring.publishEvent((slot, sequence) -> slot.value = value);
        }
        disruptor.shutdown();
        System.out.println(first.value + " " + second.value);
    }
}
