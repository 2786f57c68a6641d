package fieldgrid;

/**
 * Guarded by a monitor. The bad fields are in a synchronized block too, but on the running thread: a lock that no
 * other thread takes.
 */
final class MonitorGrid implements Grid {
    private static final Object LOCK = new Object();

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

    private boolean booleanBad; // race: MonitorGrid.booleanBad
    private byte byteBad; // race: MonitorGrid.byteBad
    private char charBad; // race: MonitorGrid.charBad
    private short shortBad; // race: MonitorGrid.shortBad
    private int intBad; // race: MonitorGrid.intBad
    private long longBad; // race: MonitorGrid.longBad
    private float floatBad; // race: MonitorGrid.floatBad
    private double doubleBad; // race: MonitorGrid.doubleBad
    private Object objectBad; // race: MonitorGrid.objectBad
    private int[] arrayBad; // race: MonitorGrid.arrayBad

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

    private static boolean staticBooleanBad; // race: MonitorGrid.staticBooleanBad
    private static byte staticByteBad; // race: MonitorGrid.staticByteBad
    private static char staticCharBad; // race: MonitorGrid.staticCharBad
    private static short staticShortBad; // race: MonitorGrid.staticShortBad
    private static int staticIntBad; // race: MonitorGrid.staticIntBad
    private static long staticLongBad; // race: MonitorGrid.staticLongBad
    private static float staticFloatBad; // race: MonitorGrid.staticFloatBad
    private static double staticDoubleBad; // race: MonitorGrid.staticDoubleBad
    private static Object staticObjectBad; // race: MonitorGrid.staticObjectBad
    private static int[] staticArrayBad; // race: MonitorGrid.staticArrayBad

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

    private final boolean[] booleansBad = new boolean[1]; // race: MonitorGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: MonitorGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: MonitorGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: MonitorGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: MonitorGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: MonitorGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: MonitorGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: MonitorGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: MonitorGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: MonitorGrid.arraysBad[]

    @Override
    public void round() {
        synchronized (LOCK) {
            bumpOk();
            bumpStaticOk();
            bumpElementsOk();
        }
        synchronized (Thread.currentThread()) {
            bumpBad();
            bumpStaticBad();
            bumpElementsBad();
        }
    }

    @Override
    public int total() {
        synchronized (LOCK) {
            return intOk + staticIntOk + intsOk[0];
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
}
