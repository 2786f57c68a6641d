package fieldgrid;

/**
 * No guard at all. That is right for the clean fields: each thread has an object of its own, and the static ones are
 * only read once the threads run.
 */
final class UnguardedGrid implements Grid {
    private boolean booleanBad; // race: UnguardedGrid.booleanBad
    private byte byteBad; // race: UnguardedGrid.byteBad
    private char charBad; // race: UnguardedGrid.charBad
    private short shortBad; // race: UnguardedGrid.shortBad
    private int intBad; // race: UnguardedGrid.intBad
    private long longBad; // race: UnguardedGrid.longBad
    private float floatBad; // race: UnguardedGrid.floatBad
    private double doubleBad; // race: UnguardedGrid.doubleBad
    private Object objectBad; // race: UnguardedGrid.objectBad
    private int[] arrayBad; // race: UnguardedGrid.arrayBad

    private static boolean staticBooleanOk = true;
    private static byte staticByteOk = 1;
    private static char staticCharOk = '1';
    private static short staticShortOk = 1;
    private static int staticIntOk = 1;
    private static long staticLongOk = 1;
    private static float staticFloatOk = 1;
    private static double staticDoubleOk = 1;
    private static Object staticObjectOk = "1";
    private static int[] staticArrayOk = new int[1];

    private static boolean staticBooleanBad; // race: UnguardedGrid.staticBooleanBad
    private static byte staticByteBad; // race: UnguardedGrid.staticByteBad
    private static char staticCharBad; // race: UnguardedGrid.staticCharBad
    private static short staticShortBad; // race: UnguardedGrid.staticShortBad
    private static int staticIntBad; // race: UnguardedGrid.staticIntBad
    private static long staticLongBad; // race: UnguardedGrid.staticLongBad
    private static float staticFloatBad; // race: UnguardedGrid.staticFloatBad
    private static double staticDoubleBad; // race: UnguardedGrid.staticDoubleBad
    private static Object staticObjectBad; // race: UnguardedGrid.staticObjectBad
    private static int[] staticArrayBad; // race: UnguardedGrid.staticArrayBad

    private final boolean[] booleansBad = new boolean[1]; // race: UnguardedGrid.booleansBad[]
    private final byte[] bytesBad = new byte[1]; // race: UnguardedGrid.bytesBad[]
    private final char[] charsBad = new char[1]; // race: UnguardedGrid.charsBad[]
    private final short[] shortsBad = new short[1]; // race: UnguardedGrid.shortsBad[]
    private final int[] intsBad = new int[1]; // race: UnguardedGrid.intsBad[]
    private final long[] longsBad = new long[1]; // race: UnguardedGrid.longsBad[]
    private final float[] floatsBad = new float[1]; // race: UnguardedGrid.floatsBad[]
    private final double[] doublesBad = new double[1]; // race: UnguardedGrid.doublesBad[]
    private final Object[] objectsBad = new Object[1]; // race: UnguardedGrid.objectsBad[]
    private final int[][] arraysBad = new int[1][]; // race: UnguardedGrid.arraysBad[]

    @Override
    public void round() {
        Confined own = new Confined();
        own.bump();
        own.bumpElements();
        readStaticOk();
        bumpBad();
        bumpStaticBad();
        bumpElementsBad();
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

    private static boolean readStaticOk() {
        double sum = staticByteOk + staticCharOk + staticShortOk + staticIntOk
            + staticLongOk + staticFloatOk + staticDoubleOk;
        return staticBooleanOk | sum > 0 | staticObjectOk != null | staticArrayOk != null;
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

    /** Used by the thread that made it only. */
    private static final class Confined {
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

        void bump() {
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

        void bumpElements() {
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
    }
}
