package fieldgrid;

/**
 * Guarded by synchronized methods, static ones for the static fields. The bad instance fields and arrays are written
 * in synchronized methods but read in plain ones; the bad static fields are written in a synchronized method of an
 * object.
 */
final class SynchronizedGrid implements Grid {
    private boolean booleanOk;
    private byte byteOk;
    private char charOk;
    private short shortOk;
    private int intOk;
    private long longOk;
    private float floatOk;
    private double doubleOk;
    private Object objectOk;
    private int[] arrayOk;

    private boolean booleanBad; // race: SynchronizedGrid.booleanBad
    private byte byteBad; // race: SynchronizedGrid.byteBad
    private char charBad; // race: SynchronizedGrid.charBad
    private short shortBad; // race: SynchronizedGrid.shortBad
    private int intBad; // race: SynchronizedGrid.intBad
    private long longBad; // race: SynchronizedGrid.longBad
    private float floatBad; // race: SynchronizedGrid.floatBad
    private double doubleBad; // race: SynchronizedGrid.doubleBad
    private Object objectBad; // race: SynchronizedGrid.objectBad
    private int[] arrayBad; // race: SynchronizedGrid.arrayBad

    private static boolean staticBooleanOk;
    private static byte staticByteOk;
    private static char staticCharOk;
    private static short staticShortOk;
    private static int staticIntOk;
    private static long staticLongOk;
    private static float staticFloatOk;
    private static double staticDoubleOk;
    private static Object staticObjectOk;
    private static int[] staticArrayOk;

    private static boolean staticBooleanBad; // race: SynchronizedGrid.staticBooleanBad
    private static byte staticByteBad; // race: SynchronizedGrid.staticByteBad
    private static char staticCharBad; // race: SynchronizedGrid.staticCharBad
    private static short staticShortBad; // race: SynchronizedGrid.staticShortBad
    private static int staticIntBad; // race: SynchronizedGrid.staticIntBad
    private static long staticLongBad; // race: SynchronizedGrid.staticLongBad
    private static float staticFloatBad; // race: SynchronizedGrid.staticFloatBad
    private static double staticDoubleBad; // race: SynchronizedGrid.staticDoubleBad
    private static Object staticObjectBad; // race: SynchronizedGrid.staticObjectBad
    private static int[] staticArrayBad; // race: SynchronizedGrid.staticArrayBad

    private final boolean[] booleansOk = new boolean[1];
    private final byte[] bytesOk = new byte[1];
    private final char[] charsOk = new char[1];
    private final short[] shortsOk = new short[1];
    private final int[] intsOk = new int[1];
    private final long[] longsOk = new long[1];
    private final float[] floatsOk = new float[1];
    private final double[] doublesOk = new double[1];
    private final Object[] objectsOk = new Object[1];
    private final int[][] arraysOk = new int[1][];

    private final boolean[] booleansBad = new boolean[1]; // race: SynchronizedGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: SynchronizedGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: SynchronizedGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: SynchronizedGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: SynchronizedGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: SynchronizedGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: SynchronizedGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: SynchronizedGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: SynchronizedGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: SynchronizedGrid.arraysBad[]

    @Override
    public void round() {
        bumpOk();
        bumpStaticOk();
        bumpElementsOk();
        bumpBad();
        readBad();
        new Helper().bumpStaticBad();
        bumpElementsBad();
        readElementsBad();
    }

    @Override
    public synchronized int total() {
        return intOk + staticIntOk() + intsOk[0];
    }

    private static synchronized int staticIntOk() {
        return staticIntOk;
    }

    private synchronized void bumpOk() {
        booleanOk = !booleanOk;
        byteOk++;
        charOk++;
        shortOk++;
        intOk++;
        longOk++;
        floatOk++;
        doubleOk++;
        objectOk = Flip.flip(objectOk);
        arrayOk = Flip.flip(arrayOk);
    }

    private synchronized void bumpBad() {
        booleanBad = !booleanBad;
        byteBad++;
        charBad++;
        shortBad++;
        intBad++;
        longBad++;
        floatBad++;
        doubleBad++;
        objectBad = Flip.flip(objectBad);
        arrayBad = Flip.flip(arrayBad);
    }

    private boolean readBad() {
        double sum = byteBad + charBad + shortBad + intBad
            + longBad + floatBad + doubleBad;
        return booleanBad | sum > 0 | objectBad != null | arrayBad != null;
    }

    private static synchronized void bumpStaticOk() {
        staticBooleanOk = !staticBooleanOk;
        staticByteOk++;
        staticCharOk++;
        staticShortOk++;
        staticIntOk++;
        staticLongOk++;
        staticFloatOk++;
        staticDoubleOk++;
        staticObjectOk = Flip.flip(staticObjectOk);
        staticArrayOk = Flip.flip(staticArrayOk);
    }

    private synchronized void bumpElementsOk() {
        booleansOk[0] = !booleansOk[0];
        bytesOk[0]++;
        charsOk[0]++;
        shortsOk[0]++;
        intsOk[0]++;
        longsOk[0]++;
        floatsOk[0]++;
        doublesOk[0]++;
        objectsOk[0] = Flip.flip(objectsOk[0]);
        arraysOk[0] = Flip.flip(arraysOk[0]);
    }

    private synchronized void bumpElementsBad() {
        booleansBad[0] = !booleansBad[0];
        bytesBad[0]++;
        charsBad[0]++;
        shortsBad[0]++;
        intsBad[0]++;
        longsBad[0]++;
        floatsBad[0]++;
        doublesBad[0]++;
        objectsBad[0] = Flip.flip(objectsBad[0]);
        arraysBad[0] = Flip.flip(arraysBad[0]);
    }

    private boolean readElementsBad() {
        double sum = bytesBad[0] + charsBad[0] + shortsBad[0] + intsBad[0]
            + longsBad[0] + floatsBad[0] + doublesBad[0];
        return booleansBad[0] | sum > 0 | objectsBad[0] != null | arraysBad[0] != null;
    }

    /** Its lock is the helper object, so every round has another one. */
    private static final class Helper {
        synchronized void bumpStaticBad() {
            staticBooleanBad = !staticBooleanBad;
            staticByteBad++;
            staticCharBad++;
            staticShortBad++;
            staticIntBad++;
            staticLongBad++;
            staticFloatBad++;
            staticDoubleBad++;
            staticObjectBad = Flip.flip(staticObjectBad);
            staticArrayBad = Flip.flip(staticArrayBad);
        }
    }
}
