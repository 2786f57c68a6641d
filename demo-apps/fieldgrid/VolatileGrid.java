package fieldgrid;

/**
 * Volatile fields do not race, whatever else may be wrong with incrementing them. The elements of an array do not
 * become volatile with the field that holds the array: those are the bad ones here.
 */
final class VolatileGrid implements Grid {
    private volatile boolean booleanOk;
    private volatile byte byteOk;
    private volatile char charOk;
    private volatile short shortOk;
    private volatile int intOk;
    private volatile long longOk;
    private volatile float floatOk;
    private volatile double doubleOk;
    private volatile Object objectOk;
    private volatile int[] arrayOk;

    private static volatile boolean staticBooleanOk;
    private static volatile byte staticByteOk;
    private static volatile char staticCharOk;
    private static volatile short staticShortOk;
    private static volatile int staticIntOk;
    private static volatile long staticLongOk;
    private static volatile float staticFloatOk;
    private static volatile double staticDoubleOk;
    private static volatile Object staticObjectOk;
    private static volatile int[] staticArrayOk;

    private volatile boolean[] booleansBad = new boolean[1]; // race: VolatileGrid.booleansBad[]
    private volatile byte[] bytesBad = new byte[1]; // race: VolatileGrid.bytesBad[]
    private volatile char[] charsBad = new char[1]; // race: VolatileGrid.charsBad[]
    private volatile short[] shortsBad = new short[1]; // race: VolatileGrid.shortsBad[]
    private volatile int[] intsBad = new int[1]; // race: VolatileGrid.intsBad[]
    private volatile long[] longsBad = new long[1]; // race: VolatileGrid.longsBad[]
    private volatile float[] floatsBad = new float[1]; // race: VolatileGrid.floatsBad[]
    private volatile double[] doublesBad = new double[1]; // race: VolatileGrid.doublesBad[]
    private volatile Object[] objectsBad = new Object[1]; // race: VolatileGrid.objectsBad[]
    private volatile int[][] arraysBad = new int[1][]; // race: VolatileGrid.arraysBad[]

    @Override
    public void round() {
        bumpOk();
        bumpStaticOk();
        bumpElementsBad();
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
