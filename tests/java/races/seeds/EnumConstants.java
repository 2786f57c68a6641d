package seeds;

import java.util.EnumMap;
import java.util.EnumSet;

/** Constants of an enum that come from the JDK, which asks the class for them. */
public class EnumConstants extends Thread {
    enum Color {
        RED,
        BLUE;

        int inSet; // race
        int inRange; // race
        int asKey; // race
        int ofClass; // race
        int named; // race
        int namedByClass; // race
        private int lockedConstant;

        synchronized void add() {
            lockedConstant++;
        }
    }

    enum Operation {
        ADD {
            @Override
            void apply() {
                added++;
            }
        },
        TAKE {
            @Override
            void apply() {
                taken();
            }
        };

        static int added; // race
        private static int takenLocked;

        abstract void apply();

        static synchronized void taken() {
            takenLocked++;
        }
    }

    private final String name;

    EnumConstants(String name) {
        this.name = name;
    }

    @Override
    public void run() {
        for (Color color : EnumSet.allOf(Color.class)) {
            color.inSet++;
            color.add();
        }
        for (Color color : EnumSet.range(Color.RED, Color.BLUE)) {
            color.inRange++;
        }
        EnumMap<Color, String> names = new EnumMap<>(Color.class);
        names.put(Color.RED, name);
        for (Color color : names.keySet()) {
            color.asKey++;
            color.add();
        }
        for (Color color : Color.class.getEnumConstants()) {
            color.ofClass++;
        }
        Color.valueOf("RED").named++;
        Enum.valueOf(Color.class, "BLUE").namedByClass++;
        Operation.valueOf(name).apply();
    }

    public static void main(String[] arguments) {
        new EnumConstants("ADD").start();
        new EnumConstants("TAKE").start();
    }
}
