import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles for the tests: javac starts once, and each compilation after the first takes a fraction of the time. A line of its input is
 * the arguments of javac with tabs between them; the answer is a line with the exit code and the length of what javac says, and that.
 */
public final class Compiler {
    public static void main(String[] arguments) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            var said = new ByteArrayOutputStream();
            int code = compiler.run(null, said, said, withJars(line.split("\t")));
            System.out.write((code + " " + said.size() + "\n").getBytes(StandardCharsets.UTF_8));
            System.out.write(said.toByteArray());
            System.out.flush();
        }
    }

    /** With the jars that `lib/*` stands for in a class path, which the launcher of javac names before javac begins. */
    private static String[] withJars(String[] arguments) {
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i - 1].equals("-cp")) {
                Stream<String> parts = Arrays.stream(arguments[i].split(File.pathSeparator)).flatMap(Compiler::jars);
                arguments[i] = parts.collect(Collectors.joining(File.pathSeparator));
            }
        }
        return arguments;
    }

    private static Stream<String> jars(String part) {
        if (!part.endsWith("/*")) {
            return Stream.of(part);
        }
        File[] jars = new File(part.substring(0, part.length() - 1)).listFiles((folder, name) -> name.endsWith(".jar"));
        return Arrays.stream(jars == null ? new File[0] : jars).map(File::getPath).sorted();
    }
}
