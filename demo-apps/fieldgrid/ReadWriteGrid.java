package fieldgrid;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Guarded by a ReentrantReadWriteLock: written under its write lock, read under its read lock. The bad fields are
 * written under the read lock, which any number of threads hold at once.
 */
final class ReadWriteGrid implements Grid {
    private static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();

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

    private boolean booleanBad; // race: ReadWriteGrid.booleanBad
    private byte byteBad; // race: ReadWriteGrid.byteBad
    private char charBad; // race: ReadWriteGrid.charBad
    private short shortBad; // race: ReadWriteGrid.shortBad
    private int intBad; // race: ReadWriteGrid.intBad
    private long longBad; // race: ReadWriteGrid.longBad
    private float floatBad; // race: ReadWriteGrid.floatBad
    private double doubleBad; // race: ReadWriteGrid.doubleBad
    private Object objectBad; // race: ReadWriteGrid.objectBad
    private int[] arrayBad; // race: ReadWriteGrid.arrayBad

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

    private static boolean staticBooleanBad; // race: ReadWriteGrid.staticBooleanBad
    private static byte staticByteBad; // race: ReadWriteGrid.staticByteBad
    private static char staticCharBad; // race: ReadWriteGrid.staticCharBad
    private static short staticShortBad; // race: ReadWriteGrid.staticShortBad
    private static int staticIntBad; // race: ReadWriteGrid.staticIntBad
    private static long staticLongBad; // race: ReadWriteGrid.staticLongBad
    private static float staticFloatBad; // race: ReadWriteGrid.staticFloatBad
    private static double staticDoubleBad; // race: ReadWriteGrid.staticDoubleBad
    private static Object staticObjectBad; // race: ReadWriteGrid.staticObjectBad
    private static int[] staticArrayBad; // race: ReadWriteGrid.staticArrayBad

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

    private final boolean[] booleansBad = new boolean[1]; // race: ReadWriteGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: ReadWriteGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: ReadWriteGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: ReadWriteGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: ReadWriteGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: ReadWriteGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: ReadWriteGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: ReadWriteGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: ReadWriteGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: ReadWriteGrid.arraysBad[]

    @Override
    public void round() {
        LOCK.writeLock().lock();
        try {
            bumpOk();
            bumpStaticOk();
            bumpElementsOk();
        } finally {
            LOCK.writeLock().unlock();
        }
        roundOfReader();
    }

    @Override
    public int total() {
        LOCK.readLock().lock();
        try {
            return intOk + staticIntOk + intsOk[0];
        } finally {
            LOCK.readLock().unlock();
        }
    }

    private void roundOfReader() {
        LOCK.readLock().lock();
        try {
            readOk();
            readStaticOk();
            readElementsOk();
            bumpBad();
            bumpStaticBad();
            bumpElementsBad();
        } finally {
            LOCK.readLock().unlock();
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
