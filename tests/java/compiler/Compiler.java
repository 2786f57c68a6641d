import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
            int code = compiler.run(null, said, said, line.split("\t"));
            System.out.write((code + " " + said.size() + "\n").getBytes(StandardCharsets.UTF_8));
            System.out.write(said.toByteArray());
            System.out.flush();
        }
    }
}
