package fieldgrid;

/**
 * Final fields are written before anybody else can see them and never again; the arrays they hold are only read. The
 * static ones are computed, for the compiler would put a constant in the place of each read.
 */
final class FinalGrid implements Grid {
    private final boolean booleanOk;
    private final byte byteOk;
    private final char charOk;
    private final short shortOk;
    private final int intOk;
    private final long longOk;
    private final float floatOk;
    private final double doubleOk;
    private final Object objectOk;
    private final int[] arrayOk;

    private static final boolean staticBooleanOk = Boolean.parseBoolean("true");
    private static final byte staticByteOk = Byte.parseByte("1");
    private static final char staticCharOk = "1".charAt(0);
    private static final short staticShortOk = Short.parseShort("1");
    private static final int staticIntOk = Integer.parseInt("1");
    private static final long staticLongOk = Long.parseLong("1");
    private static final float staticFloatOk = Float.parseFloat("1");
    private static final double staticDoubleOk = Double.parseDouble("1");
    private static final Object staticObjectOk = new Object();
    private static final int[] staticArrayOk = new int[1];

    private final boolean[] booleansOk = {true};
    private final byte[] bytesOk = {1};
    private final char[] charsOk = {'1'};
    private final short[] shortsOk = {1};
    private final int[] intsOk = {1};
    private final long[] longsOk = {1};
    private final float[] floatsOk = {1};
    private final double[] doublesOk = {1};
    private final Object[] objectsOk = {"1"};
    private final int[][] arraysOk = {{1}};

    FinalGrid(int seed) {
        booleanOk = seed > 0;
        byteOk = (byte) seed;
        charOk = (char) seed;
        shortOk = (short) seed;
        intOk = seed;
        longOk = seed;
        floatOk = seed;
        doubleOk = seed;
        objectOk = "seed " + seed;
        arrayOk = new int[seed];
    }

    @Override
    public void round() {
        readOk();
        readStaticOk();
        readElementsOk();
    }

    private boolean readOk() {
        double sum = byteOk + charOk + shortOk + intOk
            + longOk + floatOk + doubleOk;
        return booleanOk | sum > 0 | objectOk != null | arrayOk != null;
    }

    private static boolean readStaticOk() {
        double sum = staticByteOk + staticCharOk + staticShortOk + staticIntOk
            + staticLongOk + staticFloatOk + staticDoubleOk;
        return staticBooleanOk | sum > 0 | staticObjectOk != null | staticArrayOk != null;
    }

    private boolean readElementsOk() {
        double sum = bytesOk[0] + charsOk[0] + shortsOk[0] + intsOk[0]
            + longsOk[0] + floatsOk[0] + doublesOk[0];
        return booleansOk[0] | sum > 0 | objectsOk[0] != null | arraysOk[0] != null;
    }
}
