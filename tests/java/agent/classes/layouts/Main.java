package layouts;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import sun.misc.Unsafe;

/** Fields stay where they are without the agent, so that who copies the layout of a JDK class learns its offsets. */
@SuppressWarnings({"removal", "deprecation"})
public final class Main {
    /** Begins like AccessibleObject. */
    static class Fake {
        boolean override;
        volatile Object accessCheckCache;
    }

    static class Mixed {
        byte first;
        long second;
        int third;
        final int[] ints = {1, 2, 3};
        final Object[] objects = new Object[100];
        short last;
    }

    static class Node {
        Node next;
        int value;
    }

    static class Small {
        boolean only;
    }

    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        for (Class<?> type : new Class<?>[] {Fake.class, Mixed.class, Node.class, Small.class}) {
            for (Field each : type.getDeclaredFields()) {
                if (!Modifier.isStatic(each.getModifiers())) {
                    System.out.println(type.getSimpleName() + "." + each.getName() + " " + unsafe.objectFieldOffset(each));
                }
            }
        }
        Field hidden = String.class.getDeclaredField("value");
        unsafe.putBoolean(hidden, unsafe.objectFieldOffset(Fake.class.getDeclaredField("override")), true);
        System.out.println(((byte[]) hidden.get("abc")).length + " " + survives());
    }

    /** What the woven fields refer to moves when the collector runs, and so do the objects that have them. */
    private static long survives() {
        Mixed mixed = new Mixed();
        Node first = null;
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            Node node = new Node();
            node.next = i % 1000 == 0 ? null : first;
            node.value = i;
            first = node;
            mixed.objects[i % 100] = new Object[] {node, new Mixed()};
            mixed.ints[i % 3] += i;
            if (i % 25_000 == 0) {
                System.gc();
            }
        }
        for (Node node = first; node != null; node = node.next) {
            sum += node.value;
        }
        return sum + mixed.ints[0] + mixed.ints[1] + mixed.ints[2];
    }
}
