import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Calls every public method of a class that a comment precedes, and compares the hooks that ran with it. */
public class Behaviour {
    public static void main(String[] args) throws Exception {
        StringBuilder log = (StringBuilder) Class.forName("java.lang.JraceHooks").getField("log").get(null);
        List<String> lines = Files.readAllLines(Path.of(args[0]));
        Class<?> type = Class.forName(Path.of(args[0]).getFileName().toString().replace(".java", ""));
        Object subject = type.getDeclaredConstructor().newInstance();
        int checked = 0;
        for (int i = 1; i < lines.size(); i++) {
            String comment = lines.get(i - 1).trim();
            if (!comment.startsWith("// hooks: ")) continue;
            String name = lines.get(i).replaceAll("\\(.*", "").replaceAll(".* ", "");
            Method method = type.getDeclaredMethod(name);
            log.setLength(0);
            method.invoke(subject);
            String seen = log.toString().trim();
            String expected = comment.substring("// hooks: ".length()).replace("-", "");
            if (!seen.equals(expected)) System.out.println(name + ": expected [" + expected + "], saw [" + seen + "]");
            checked++;
        }
        System.out.println("checked " + checked);
    }
}
