import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Defines and links the class files in a file, each with its length in front; writes down what the JVM thinks of each. */
public class Define {
    static final class Loader extends ClassLoader {
        void link(byte[] bytes) {
            // Asking for its methods links a class without running its initializer.
            defineClass(null, bytes, 0, bytes.length).getDeclaredMethods();
        }
    }

    static String attempt(byte[] bytes) {
        try {
            new Loader().link(bytes);
            return "linked";
        } catch (VerifyError e) {
            // The rest of its message shows the code, which is woven.
            boolean stack = e.getMessage().matches("(?s)Operand stack overflow.*|.*Stack size too large");
            return e.getClass().getName() + (stack ? ": stack" : "");
        } catch (Throwable e) {
            // Loaders differ by their number.
            return e.toString().replaceAll("\\R", " ").replaceAll("Loader @\\w+", "Loader");
        }
    }

    public static void main(String[] args) throws Exception {
        StringBuilder out = new StringBuilder();
        try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[0]))))) {
            for (int left = in.readInt(); left > 0; left--) {
                out.append(attempt(in.readNBytes(in.readInt()))).append('\n');
            }
        }
        // The JVM has a say on standard output.
        Files.writeString(Path.of(args[1]), out);
    }
}
