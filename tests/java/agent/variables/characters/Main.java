package characters;

import static util.Threads.each;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** Class files encode characters beyond U+FFFF in another way than UTF-8 does. */
final class Data {
    int 𠮷; // race: Data.𠮷
    static int 𝑠; // race: Data.𝑠
    final int[] 𝑎 = new int[2]; // race: Data.𝑎[]
    final List<String> 𝑙 = new ArrayList<>(); // race: Data.𝑙
    int größe漢; // race: Data.größe漢
    int 𝑚irrored; // race: Data.𝑚irrored
    int 𝑣ia; // race: Data.𝑣ia
    volatile boolean 𝑟eady;
    static volatile boolean 𝑞;
    final Object 𝑘ey = new Object();
    int handedOver;
    int handedOverByStatic;
    int locked;
}

final class 𝐶 {
    int field; // race: 𝐶.field
    volatile boolean ready;
    int handedOver;
}

public final class Main {
    static final Data DATA = new Data();
    static final 𝐶 OTHER = new 𝐶();

    private static void handOver() {
        each(
                () -> {
                    DATA.handedOver++;
                    DATA.𝑟eady = true;
                },
                () -> {
                    while (!DATA.𝑟eady) {
                        Thread.onSpinWait();
                    }
                    DATA.handedOver++;
                });
        each(
                () -> {
                    DATA.handedOverByStatic++;
                    Data.𝑞 = true;
                },
                () -> {
                    while (!Data.𝑞) {
                        Thread.onSpinWait();
                    }
                    DATA.handedOverByStatic++;
                });
        each(
                () -> {
                    OTHER.handedOver++;
                    OTHER.ready = true;
                },
                () -> {
                    while (!OTHER.ready) {
                        Thread.onSpinWait();
                    }
                    OTHER.handedOver++;
                });
    }

    private static void locked() {
        synchronized (DATA.𝑘ey) {
            DATA.locked++;
        }
    }

    private static void mirrored() {
        try {
            Field field = Data.class.getDeclaredField("𝑚irrored");
            field.setInt(DATA, 1);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        VarHandle via = MethodHandles.lookup().findVarHandle(Data.class, "𝑣ia", int.class);
        each(() -> DATA.𠮷++, () -> DATA.𠮷++);
        each(() -> Data.𝑠++, () -> Data.𝑠++);
        each(() -> DATA.𝑎[0]++, () -> DATA.𝑎[0]++);
        each(() -> DATA.𝑙.add("a"), () -> DATA.𝑙.add("b"));
        each(() -> DATA.größe漢++, () -> DATA.größe漢++);
        each(() -> OTHER.field++, () -> OTHER.field++);
        each(Main::mirrored, Main::mirrored);
        each(() -> via.set(DATA, 1), () -> via.set(DATA, 2));
        each(Main::locked, Main::locked);
        handOver();
        System.out.println("end");
    }
}
