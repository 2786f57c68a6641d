package damaged;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Defines damaged class files and says what the JVM thinks of each. */
public final class Main {
    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    static void attempt(String what, byte[] bytes) {
        try {
            Class<?> defined = new Loader().define(bytes);
            String initialized = Class.forName(defined.getName(), true, defined.getClassLoader()).getName();
            System.out.println(what + ": " + initialized + " " + defined.getDeclaredFields().length
                + defined.getDeclaredMethods().length);
        } catch (VerifyError e) {
            // Its message shows the code, which is woven.
            System.out.println(what + ": " + e.getClass().getName());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] whole = Files.readAllBytes(Path.of(args[0]));
        attempt("whole", whole);
        for (int length = 0; length < whole.length; length += 7) {
            attempt("cut at " + length, Arrays.copyOf(whole, length));
        }
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            attempt("noise " + i, noise);
            if (noise.length > 10) {
                System.arraycopy(whole, 0, noise, 0, 10);
                attempt("noise with a head " + i, noise);
            }
        }
        for (int at = 8; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            attempt("flipped at " + at, flipped);
        }
    }
}
