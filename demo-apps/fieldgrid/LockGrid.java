package fieldgrid;

import java.util.concurrent.locks.ReentrantLock;

/** Guarded by a ReentrantLock. The bad fields are read under the lock and written after it was released. */
final class LockGrid implements Grid {
    private static final ReentrantLock LOCK = new ReentrantLock();

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

    private boolean booleanBad; // race: LockGrid.booleanBad
    private byte byteBad; // race: LockGrid.byteBad
    private char charBad; // race: LockGrid.charBad
    private short shortBad; // race: LockGrid.shortBad
    private int intBad; // race: LockGrid.intBad
    private long longBad; // race: LockGrid.longBad
    private float floatBad; // race: LockGrid.floatBad
    private double doubleBad; // race: LockGrid.doubleBad
    private Object objectBad; // race: LockGrid.objectBad
    private int[] arrayBad; // race: LockGrid.arrayBad

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

    private static boolean staticBooleanBad; // race: LockGrid.staticBooleanBad
    private static byte staticByteBad; // race: LockGrid.staticByteBad
    private static char staticCharBad; // race: LockGrid.staticCharBad
    private static short staticShortBad; // race: LockGrid.staticShortBad
    private static int staticIntBad; // race: LockGrid.staticIntBad
    private static long staticLongBad; // race: LockGrid.staticLongBad
    private static float staticFloatBad; // race: LockGrid.staticFloatBad
    private static double staticDoubleBad; // race: LockGrid.staticDoubleBad
    private static Object staticObjectBad; // race: LockGrid.staticObjectBad
    private static int[] staticArrayBad; // race: LockGrid.staticArrayBad

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

    private final boolean[] booleansBad = new boolean[1]; // race: LockGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: LockGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: LockGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: LockGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: LockGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: LockGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: LockGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: LockGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: LockGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: LockGrid.arraysBad[]

    @Override
    public void round() {
        LOCK.lock();
        try {
            bumpOk();
            bumpStaticOk();
            bumpElementsOk();
            readBad();
            readStaticBad();
            readElementsBad();
        } finally {
            LOCK.unlock();
        }
        bumpBad();
        bumpStaticBad();
        bumpElementsBad();
    }

    @Override
    public int total() {
        LOCK.lock();
        try {
            return intOk + staticIntOk + intsOk[0];
        } finally {
            LOCK.unlock();
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

    private boolean readBad() {
        double sum = byteBad + charBad + shortBad + intBad
            + longBad + floatBad + doubleBad;
        return booleanBad | sum > 0 | objectBad != null | arrayBad != null;
    }

    private static boolean readStaticBad() {
        double sum = staticByteBad + staticCharBad + staticShortBad + staticIntBad
            + staticLongBad + staticFloatBad + staticDoubleBad;
        return staticBooleanBad | sum > 0 | staticObjectBad != null | staticArrayBad != null;
    }

    private boolean readElementsBad() {
        double sum = bytesBad[0] + charsBad[0] + shortsBad[0] + intsBad[0]
            + longsBad[0] + floatsBad[0] + doublesBad[0];
        return booleansBad[0] | sum > 0 | objectsBad[0] != null | arraysBad[0] != null;
    }
}
