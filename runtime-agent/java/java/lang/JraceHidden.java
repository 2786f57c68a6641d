package java.lang;

import static java.lang.JraceMemory.U;

import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadPoolExecutor;

/**
 * Atomic variables inside objects of the library. They would order threads that the object promises nothing to: the two ends of a queue
 * share a counter, and all users of one random generator its seed.
 */
final class JraceHidden {
    private JraceHidden() {}

    private static final Object[][] FIELDS = {
        {LinkedBlockingQueue.class, "count"},
        {ThreadPoolExecutor.class, "ctl"},
        {Phaser.class, "evenQ", "oddQ"},
        {Random.class, "seed"},
    };

    /** Nothing is told of the variables of an object from now on. */
    static void hide(Object object) {
        for (Object[] row : FIELDS) {
            Class<?> of = (Class<?>) row[0];
            for (int i = 1; of.isInstance(object) && i < row.length; i++) {
                hide(object, of, (String) row[i]);
            }
        }
    }

    private static void hide(Object object, Class<?> of, String field) {
        try {
            Object variable = U.getReference(object, U.objectFieldOffset(of, field));
            if (variable != null) {
                JraceShadow.of(variable).isHidden = true;
            }
        } catch (InternalError noSuchField) {
            // This version of the library does otherwise.
        }
    }
}
