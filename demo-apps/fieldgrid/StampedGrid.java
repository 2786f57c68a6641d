package fieldgrid;

import java.util.concurrent.locks.StampedLock;

/**
 * Guarded by a StampedLock: written under a write stamp, read under a read stamp. The bad fields are written under a
 * read stamp.
 */
final class StampedGrid implements Grid {
    private static final StampedLock LOCK = new StampedLock();

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

    private boolean booleanBad; // race: StampedGrid.booleanBad
    private byte byteBad; // race: StampedGrid.byteBad
    private char charBad; // race: StampedGrid.charBad
    private short shortBad; // race: StampedGrid.shortBad
    private int intBad; // race: StampedGrid.intBad
    private long longBad; // race: StampedGrid.longBad
    private float floatBad; // race: StampedGrid.floatBad
    private double doubleBad; // race: StampedGrid.doubleBad
    private Object objectBad; // race: StampedGrid.objectBad
    private int[] arrayBad; // race: StampedGrid.arrayBad

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

    private static boolean staticBooleanBad; // race: StampedGrid.staticBooleanBad
    private static byte staticByteBad; // race: StampedGrid.staticByteBad
    private static char staticCharBad; // race: StampedGrid.staticCharBad
    private static short staticShortBad; // race: StampedGrid.staticShortBad
    private static int staticIntBad; // race: StampedGrid.staticIntBad
    private static long staticLongBad; // race: StampedGrid.staticLongBad
    private static float staticFloatBad; // race: StampedGrid.staticFloatBad
    private static double staticDoubleBad; // race: StampedGrid.staticDoubleBad
    private static Object staticObjectBad; // race: StampedGrid.staticObjectBad
    private static int[] staticArrayBad; // race: StampedGrid.staticArrayBad

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

    private final boolean[] booleansBad = new boolean[1]; // race: StampedGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: StampedGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: StampedGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: StampedGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: StampedGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: StampedGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: StampedGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: StampedGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: StampedGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: StampedGrid.arraysBad[]

    @Override
    public void round() {
        long stamp = LOCK.writeLock();
        try {
            bumpOk();
            bumpStaticOk();
            bumpElementsOk();
        } finally {
            LOCK.unlockWrite(stamp);
        }
        roundOfReader();
    }

    @Override
    public int total() {
        long stamp = LOCK.readLock();
        try {
            return intOk + staticIntOk + intsOk[0];
        } finally {
            LOCK.unlockRead(stamp);
        }
    }

    private void roundOfReader() {
        long stamp = LOCK.readLock();
        try {
            readOk();
            readStaticOk();
            readElementsOk();
            bumpBad();
            bumpStaticBad();
            bumpElementsBad();
        } finally {
            LOCK.unlockRead(stamp);
        }
    }

    private void bumpOk() {
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

    private void bumpBad() {
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

    private static void bumpStaticOk() {
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

    private static void bumpStaticBad() {
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

    private void bumpElementsOk() {
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

    private void bumpElementsBad() {
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
