package objects;

import static util.Threads.each;
import static util.Threads.thrice;

import java.util.ArrayList;
import java.util.List;

/** Fields of many shapes of classes. */
enum Colour {
    RED, GREEN {
        @Override
        void touch() {
            super.touch();
            touches++;
        }
    };

    int touches; // race: Colour.touches

    void touch() {
        touches++;
    }
}

record Point(int x, int y) {
    static int made; // race: Point.made

    Point {
        made++;
    }
}

interface Counting {
    Holder HOLDER = new Holder();

    default void count() {
        HOLDER.count++;
    }

    static void countStatically() {
        HOLDER.countedStatically++;
    }
}

final class Holder {
    int count; // race: Holder.count
    int countedStatically; // race: Holder.countedStatically
}

final class Counter implements Counting {
}

class Generic<T> {
    T value; // race: Generic.value
}

final class Strings extends Generic<String> {
    void add(String s) {
        value = value == null ? s : value + s;
    }
}

/** Writes fields before its superclass constructor runs: this$0, and captured values. */
class Early {
    int set;

    Early() {
        init();
    }

    void init() {
        set = 1;
    }
}

final class Outer {
    int outer; // race: Outer.outer

    Early make(int captured) {
        return new Early() {
            int mine = captured;

            @Override
            void init() {
                super.init();
                mine += captured;
                outer += captured;
            }
        };
    }
}

sealed interface Shape permits Circle, Square {
}

final class Circle implements Shape {
    double radius; // race: Circle.radius
}

final class Square implements Shape {
    double side; // race: Square.side
}

public final class Main {
    static final Counter COUNTER = new Counter();
    static final Strings STRINGS = new Strings();
    static final Outer OUTER = new Outer();
    static final List<Shape> SHAPES = new ArrayList<>(List.of(new Circle(), new Square()));
    static Throwable thrown; // race: Main.thrown

    static double measure(Shape shape) {
        if (shape instanceof Circle circle) {
            return circle.radius++;
        }
        return ((Square) shape).side++;
    }

    public static void main(String[] args) {
        thrice(() -> {
            for (Colour colour : Colour.values()) {
                colour.touch();
            }
            switch (Colour.valueOf("RED")) {
                case RED -> System.out.println(new Point(1, 2));
                default -> System.out.println("no");
            }
            COUNTER.count();
            Counting.countStatically();
            STRINGS.add("x");
            OUTER.make(2);
            for (Shape shape : SHAPES) {
                measure(shape);
            }
            thrown = new Exception("x");
        });
        each(() -> System.out.println(new Point(3, 4).equals(new Point(3, 4)) + " " + new Point(5, 6).hashCode()));
    }
}
