package written;

import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import util.Threads;

/** A stream calls methods of what it finds in an object, in the thread that writes. The main thread calls them, too. */
public final class Main {
    static int parts; // race: Main.parts
    static int whole; // race: Main.whole

    private Main() {}

    public static final class Part implements Externalizable {
        @Override
        public void writeExternal(ObjectOutput out) {
            parts++;
        }

        @Override
        public void readExternal(ObjectInput in) {}
    }

    public static final class Whole implements Externalizable {
        @Override
        public void writeExternal(ObjectOutput out) {
            whole++;
        }

        @Override
        public void readExternal(ObjectInput in) {}
    }

    static final class Holder implements Serializable {
        final Part part = new Part();
    }

    private static void write(Object object) throws IOException {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            out.writeObject(object);
        }
    }

    public static void main(String[] args) throws Exception {
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            new Part().writeExternal(out);
        }
        Threads.Body body = () -> {
            write(new Holder());
            write(new Whole());
        };
        Threads.each(body, body, body);
    }
}
