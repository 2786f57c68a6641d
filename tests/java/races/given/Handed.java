package given;

import java.util.ArrayList;
import java.util.EventObject;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Gives out objects as what their classes do not say, and takes them back. */
public class Handed {
    private static int inEntry; // race
    private static int inEvent; // race
    private static int inLambda; // race
    private static int toClient; // race
    private static int toListener; // race
    public Object field; // race

    /** Nobody outside knows these classes; what they count is theirs. */
    private static final class Returned {
        int returned; // race
    }

    private static final class Generic {
        int generic; // race
    }

    private static final class InArray {
        int inArray; // race
    }

    private static final class InList {
        int inList; // race
    }

    private static final class InField {
        int inField; // race
    }

    private static final class Called {
        int called; // race
    }

    private static final class Kept {
        int kept;
    }

    /** Clients may listen; somebody does already. */
    public interface Listener {
        void on(Object event);

        void run(Runnable task);
    }

    public static final class Deaf implements Listener {
        @Override
        public void on(Object event) {
        }

        @Override
        public void run(Runnable task) {
        }
    }

    public static final class Waste implements Consumer<Runnable> {
        @Override
        public void accept(Runnable task) {
        }
    }

    private static final class InEntry implements Runnable {
        @Override
        public void run() {
            inEntry++;
        }
    }

    private static final class InEvent implements Runnable {
        @Override
        public void run() {
            inEvent++;
        }
    }

    private static final class ToClient implements Runnable {
        @Override
        public void run() {
            toClient++;
        }
    }

    private static final class ToListener implements Runnable {
        @Override
        public void run() {
            toListener++;
        }
    }

    public void execute(Runnable task) {
        task.run();
    }

    public Object returned() {
        return new Returned();
    }

    public void returned(Object back) {
        ((Returned) back).returned++;
    }

    @SuppressWarnings("unchecked")
    public <T> T generic() {
        return (T) new Generic();
    }

    public <T> void generic(T back) {
        ((Generic) back).generic++;
    }

    public Object[] inArray() {
        return new Object[] {new InArray()};
    }

    public void inArray(Object back) {
        ((InArray) back).inArray++;
    }

    public List<Object> inList() {
        List<Object> list = new ArrayList<>();
        list.add(new InList());
        return list;
    }

    public void inList(Object back) {
        ((InList) back).inList++;
    }

    public void fill() {
        field = new InField();
    }

    public void inField(Object back) {
        ((InField) back).inField++;
    }

    public void call(Listener listener) {
        listener.on(new Called());
        listener.run(new ToListener());
    }

    public void called(Object back) {
        ((Called) back).called++;
    }

    public void kept() {
        Object kept = new Kept();
        ((Kept) kept).kept++;
    }

    public Map.Entry<String, Runnable> inEntry() {
        return Map.entry("", new InEntry());
    }

    public EventObject inEvent() {
        return new EventObject(new InEvent());
    }

    public List<Runnable> inLambda() {
        return List.of(() -> inLambda++);
    }

    public void toClient(Consumer<Runnable> client) {
        client.accept(new ToClient());
    }
}
