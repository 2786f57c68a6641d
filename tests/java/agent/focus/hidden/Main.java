package hidden;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import util.Threads;

/** A stream calls a method, in the thread that reads: no analysis of the program sees that call. */
public final class Main {
    static int resolved; // race: Main.resolved

    private Main() {}

    static final class Box implements Serializable {
        private Object readResolve() {
            resolved++;
            return this;
        }
    }

    private static byte[] written() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Box().readResolve());
        }
        return bytes.toByteArray();
    }

    private static void restore(byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.readObject();
        }
    }

    public static void main(String[] args) throws IOException {
        byte[] bytes = written();
        Threads.Body body = () -> {
            if (args.length > 0) {
                restore(bytes);
            }
        };
        Threads.each(body, body, body);
    }
}
