package util;

import java.nio.file.Files;
import java.nio.file.Path;

/** What the process takes. */
public final class Memory {
    private Memory() {}

    /** The resident set, in kilobytes. */
    public static long resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IllegalStateException("no VmRSS");
    }
}
