import java.io.Serializable;

/** Objects and arrays: fields, constructors, dispatch. */
final class Objects {
    interface Shape {
        int SIDES = sides(4);

        long area();

        default long twice() {
            return 2 * area();
        }

        static int sides(int n) {
            created += 1000;
            return n;
        }
    }

    static class Square implements Shape {
        protected final int side;
        int touched = 5;

        Square(int side) {
            this.side = side;
            touched += kind();
        }

        int kind() {
            return 1;
        }

        @Override
        public long area() {
            return (long) side * side;
        }

        private int secret() {
            return 100;
        }

        int revealed() {
            return secret();
        }
    }

    static class Cube extends Square {
        int height = 3;
        byte narrow;
        char letter;

        Cube(int side) {
            super(side > 0 ? side : -side);
        }

        Cube() {
            this(9);
            height *= 2;
        }

        /** Called before the initializer of {@code height} has run. */
        @Override
        int kind() {
            return 10 + height + super.kind();
        }

        @Override
        public long area() {
            return 6 * super.area();
        }

        private int secret() {
            return 200;
        }

        @Override
        public long twice() {
            return super.twice() + 1;
        }
    }

    /** An inner class has a hidden field that is set before the superclass's constructor runs. */
    class Inner extends Square {
        Inner(int side) {
            super(side);
        }

        @Override
        int kind() {
            return number;
        }
    }

    interface Operation {
        long apply(long a, int b);

        default long onTen(int b) {
            return apply(10, b);
        }
    }

    static int created;
    static long total;
    final int number;

    Objects(int number) {
        this.number = number;
        created++;
    }

    long add(long a, int b) {
        return a + b * number;
    }

    static long caseFields(int n) {
        Cube cube = new Cube(n);
        cube.height += n;
        cube.narrow = (byte) (cube.height * 100);
        cube.narrow++;
        cube.letter -= 1;
        int old = cube.height++ + ++cube.height;
        total += old;
        long kept = total++ - --total;
        created += n;
        return cube.height + cube.narrow * 31L + cube.letter * 7L + old + kept + (total & 0xff) + created;
    }

    static long caseConstructors(int n) {
        Square[] squares = {new Square(n), new Cube(n), new Cube(), new Objects(n).new Inner(n)};
        long sum = 0;
        for (Square square : squares) {
            sum = sum * 37 + square.touched + square.revealed();
            sum = sum * 37 + (square instanceof Cube ? ((Cube) square).height : -1);
        }
        return sum;
    }

    static long caseCalls(int n) {
        Shape[] shapes = {new Square(n), n > 2 ? new Cube(n) : new Square(3), () -> n + 7};
        long sum = 0;
        for (Shape shape : shapes) sum = sum * 31 + shape.area() + shape.twice();
        return sum;
    }

    static long caseInterfaceField(int n) {
        int before = created;
        return (n + Shape.SIDES) * 10_000L + created - before;
    }

    static long caseLambdas(int n) {
        Objects object = new Objects(3);
        int captured = n & 15;
        Operation[] operations = {
            (a, b) -> a * b + captured, object::add, Objects::power, (a, b) -> object.add(a, captured) - b,
        };
        long sum = 0;
        for (Operation operation : operations) sum = sum * 11 + operation.apply(n, 3) + operation.onTen(2);
        return sum;
    }

    private static long power(long a, int b) {
        return b == 0 ? 1 : a * power(a, b - 1);
    }

    static long caseArrays(int n) {
        byte[] bytes = new byte[4];
        char[] chars = {'a', 'b'};
        short[] shorts = new short[] {1, 2, 3};
        long[] longs = new long[2];
        float[] floats = {n, 0.5f};
        double[] doubles = {0.25, n};
        boolean[] flags = {n > 0, n < 5};
        bytes[1] = (byte) (n * 3);
        bytes[1] += 100;
        chars[1] += n;
        shorts[2] <<= n;
        longs[0] = longs[1]++ + (longs[1] += n) * 2;
        floats[1] *= floats[0]--;
        doubles[0] += doubles[1] = 1.5;
        flags[0] ^= flags[1];
        long sum = bytes[1] + chars[1] * 3L + shorts[2] * 5L + longs[0] * 7 + longs[1] * 11;
        return sum + (long) (floats[1] * 4) + (long) (doubles[0] * 8) + (flags[0] ? 1000 : 2000) + bytes.length;
    }

    static long caseArraysOfArrays(int n) {
        int[][] table = new int[3][4];
        long[][][] deep = new long[2][n & 3][];
        String[][] ragged = {{}, {"x"}, null};
        table[n & 1][n & 3] = n;
        table[2] = table[n & 1];
        table[2][1] += 5;
        deep[1][0] = new long[] {n, 2};
        int[] copy = table[n & 1].clone();
        copy[0]++;
        long sum = 0;
        for (int[] row : table) for (int cell : row) sum = sum * 3 + cell;
        return sum + deep[1][0][0] + deep[0].length + (deep[0][0] == null ? 1 : 0) + ragged[1].length + copy[0];
    }

    static long caseTypesOfArrays(int n) {
        Object[] things = {new int[2], new String[1], new int[1][1], "text", null, new Cube[1], Shape.class};
        Object thing = things[index(n)];
        long sum = 0;
        if (thing instanceof Object[]) sum += 1;
        if (thing instanceof Square[]) sum += 2;
        if (thing instanceof int[]) sum += 4;
        if (thing instanceof Cloneable) sum += 8;
        if (thing instanceof Serializable) sum += 16;
        if (thing instanceof String) sum += 32;
        if (thing instanceof Shape[]) sum += 64;
        if (thing instanceof Cloneable[]) sum += 128;
        return sum + (thing == things[0] ? 1000 : 0) + (thing != null ? 2000 : 0);
    }

    private static int index(int n) {
        return (n & 7) % 7;
    }

    /** The type of the variable is above what the branches give it. */
    static long caseJoins(int n) {
        Square square = n > 0 ? new Cube(n) : new Square(n);
        Object[] row = n > 1 ? new Cube[] {new Cube()} : new Square[] {square, square};
        Object any = n > 2 ? row : square;
        while (any instanceof Object[]) any = ((Object[]) any)[0];
        return ((Shape) any).area() + square.area() + row.length;
    }

    static long caseInitializers(int n) {
        return n > 0 ? Late.value + Early.count * 100L : Early.count;
    }

    static final class Early {
        static int count;
    }

    static final class Late {
        static final int value = (int) (5 + total % 2 * 0);

        static {
            Early.count += 7;
        }
    }
}
