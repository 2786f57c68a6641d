package loops;

import static util.Threads.thrice;

/**
 * Arrays in loops without calls, which are checked when the loop is left: on every way out, with the locks of the loop.
 * An array that a method was given is named after the method.
 */
final class Data {
    final int[] ended = new int[3]; // race: Data.ended[]
    final int[] returned = new int[3];
    final int[] broken = new int[3];
    final int[] thrown = new int[3];
    final int[] caught = new int[3];
    final int[] thrownBySelf = new int[3];
    final int[][] rows = new int[3][3];
    final long[] nested = new long[9];
    final int[] lockedInside = new int[3];
    final int[] whileTrue = new int[3];

    final int[] guarded = new int[3];
    final int[] guardedThrown = new int[3];
    final int[] guardedByMethod = new int[3];
    final int[] guardedThrownByMethod = new int[3];
    final int[] read = new int[3];
    final int[][] own = new int[3][3];

    synchronized void method() {
        for (int i = 0; i < guardedByMethod.length; i++) {
            guardedByMethod[i] = i;
        }
    }

    synchronized void throwingMethod() {
        for (int i = 0; i < 4; i++) {
            guardedThrownByMethod[i] = i;
        }
    }
}

public final class Main {
    static final Data DATA = new Data();
    static int turns;

    static int returned(int[] array) { // chance: Main.returned -- threads loop over it once each, and which elements they came to is not known
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
            if (i == 1) {
                return i;
            }
        }
        return 0;
    }

    static void broken(int[] array) { // chance: Main.broken -- threads loop over it once each, and which elements they came to is not known
        for (int i = 0; i < array.length; i++) {
            if (i == 1) {
                break;
            }
            array[i] = i;
        }
    }

    static void thrown(int[] array) { // chance: Main.thrown -- threads loop over it once each, and which elements they came to is not known
        for (int i = 0; i < 4; i++) {
            array[i] = i;
        }
    }

    static int caught(int[] array) { // chance: Main.caught -- threads loop over it once each, and which elements they came to is not known
        int sum = 0;
        try {
            for (int i = 0; i < 4; i++) {
                array[i] = i;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            sum--;
        }
        return sum;
    }

    static void thrownBySelf(int[] array, RuntimeException exception) { // chance: Main.thrownBySelf -- threads loop over it once each, and which elements they came to is not known
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
            if (i == 1) {
                throw exception;
            }
        }
    }

    static void rows(int[][] rows) { // chance: Main.rows -- threads loop over it once each, and which elements they came to is not known
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows.length; j++) {
                rows[i][j] = i;
            }
        }
    }

    static void nested(long[] array) { // race: Main.nested
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                array[3 * i + j] = i;
            }
        }
    }

    static void lockedInside(int[] array) { // race: Main.lockedInside
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
        synchronized (array) {
            array[0]--;
        }
    }

    static void whileTrue(int[] array) { // chance: Main.whileTrue -- threads loop over it once each, and which elements they came to is not known
        int i = 0;
        while (true) {
            array[i] = i;
            if (++i == 3) {
                return;
            }
        }
    }

    static void guardedThrown(int[] array) {
        synchronized (array) {
            for (int i = 0; i < 4; i++) {
                array[i] = i;
            }
        }
    }

    static void alone(int[] array) {
        for (int i = 0; i < array.length; i++) {
            array[i] = i;
        }
    }

    static int read(int[] array) {
        int sum = 0;
        for (int value : array) {
            sum += value;
        }
        return sum;
    }

    static void failing(Runnable body) {
        try {
            body.run();
            System.out.println("no exception");
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        thrice(() -> {
            int turn;
            synchronized (DATA) {
                turn = turns++;
            }
            for (int i = 0; i < DATA.ended.length; i++) {
                DATA.ended[i] += i;
            }
            returned(DATA.returned);
            broken(DATA.broken);
            failing(() -> thrown(DATA.thrown));
            caught(DATA.caught);
            failing(() -> thrownBySelf(DATA.thrownBySelf, new IllegalStateException("it is thrown")));
            rows(DATA.rows);
            nested(DATA.nested);
            lockedInside(DATA.lockedInside);
            whileTrue(DATA.whileTrue);
            synchronized (DATA) {
                alone(DATA.guarded);
            }
            failing(() -> guardedThrown(DATA.guardedThrown));
            DATA.method();
            failing(DATA::throwingMethod);
            read(DATA.read);
            alone(DATA.own[turn]);
        });
    }
}
