package serialized;

import static util.Threads.thrice;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Without a serialVersionUID of its own. */
class Plain implements Serializable {
    int number = 4;
    String text = "text";
    transient int notWritten = 1;
    static int statically = 3;
    private double[] numbers = {1, 2};
    protected List<String> list = new ArrayList<>(List.of("a", "b"));

    synchronized void touch() {
        number++;
        numbers[0]++;
    }

    @Override
    public String toString() {
        return number + text + notWritten + Arrays.toString(numbers) + list;
    }
}

class Sub extends Plain {
    private static final long serialVersionUID = 42;
    int number = 9;
    Kind kind = Kind.B;
    Point point = new Point(1, 2);
    Map<Kind, String> map = new EnumMap<>(Map.of(Kind.A, "x"));

    @Override
    public String toString() {
        return super.toString() + number + kind + point + map;
    }
}

enum Kind {
    A, B {
        @Override
        int weight() {
            return extra++;
        }
    };

    int extra = 3;

    int weight() {
        return 1;
    }
}

record Point(int x, int y) implements Serializable {
}

interface Marked extends Serializable {
    int CONSTANT = 5;

    static int helper() {
        return CONSTANT;
    }
}

class WithInitializer implements Marked {
    static final Map<String, String> TABLE = new HashMap<>();
    long value;

    static {
        TABLE.put("a", "b");
    }

    WithInitializer() {
        value = 5;
    }
}

public final class Main {
    static void describe(Class<?> type) {
        System.out.println(type + " " + Modifier.toString(type.getModifiers()) + " " + type.isSynthetic());
        for (Field field : type.getDeclaredFields()) {
            System.out.println("  " + field.toGenericString() + " " + field.isSynthetic());
        }
        System.out.println("  " + Arrays.toString(type.getFields()));
        System.out.println("  " + type.getDeclaredMethods().length + " " + type.getDeclaredConstructors().length);
        if (type.isRecord()) {
            System.out.println("  " + Arrays.toString(type.getRecordComponents()));
        }
        ObjectStreamClass stream = ObjectStreamClass.lookup(type);
        if (stream != null) {
            System.out.println("  " + stream.getSerialVersionUID() + " " + Arrays.toString(stream.getFields()));
        }
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("describe")) {
            for (Class<?> type : List.of(Plain.class, Sub.class, Kind.class, Kind.B.getClass(), Point.class, Marked.class,
                    WithInitializer.class, Main.class, Thread.class)) {
                describe(type);
            }
            try {
                System.out.println(Plain.class.getDeclaredField("$jrace$I$number"));
            } catch (NoSuchFieldException expected) {
                System.out.println("no such field");
            }
            System.out.println(EnumSet.allOf(Kind.class) + " " + Kind.B.weight() + Kind.A.weight());
        } else if (args[0].equals("write")) {
            Sub sub = new Sub();
            thrice(sub::touch);
            try (ObjectOutputStream out = new ObjectOutputStream(new FileOutputStream(new File(args[1])))) {
                out.writeObject(List.of(new Plain(), sub, Kind.A, new Point(3, 4), new WithInitializer()));
            }
        } else {
            try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(new File(args[1])))) {
                List<?> read = (List<?>) in.readObject();
                System.out.println(read.subList(0, 4));
                thrice(() -> ((Plain) read.get(1)).touch());
                System.out.println(read.get(1) + " " + ((WithInitializer) read.get(4)).value);
            }
        }
    }
}
