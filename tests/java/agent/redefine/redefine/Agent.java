package redefine;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

/** A Java agent that remembers its instrumentation, and can change a constant in classes. */
public final class Agent {
    static Instrumentation instrumentation;

    private Agent() {}

    public static void premain(String argument, Instrumentation given) {
        instrumentation = given;
    }

    /** Replaces one text by another of the same length. */
    static final class Replace implements ClassFileTransformer {
        private final byte[] from;
        private final byte[] to;
        private final String name;

        Replace(String name, String from, String to) {
            this.name = name;
            this.from = from.getBytes(StandardCharsets.US_ASCII);
            this.to = to.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public byte[] transform(
                ClassLoader loader, String className, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            if (!name.equals(className)) {
                return null;
            }
            byte[] changed = bytes.clone();
            for (int at = 0; at + from.length <= changed.length; at++) {
                int i = 0;
                while (i < from.length && changed[at + i] == from[i]) {
                    i++;
                }
                if (i == from.length) {
                    System.arraycopy(to, 0, changed, at, to.length);
                }
            }
            return changed;
        }
    }
}
