package hidden;

import static util.Threads.each;
import static util.Threads.thrice;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;

/** Defined as a hidden class, twice. */
final class Template implements Runnable {
    static int racyStatic; // race: Template.racyStatic
    static int separate;
    static int guarded;
    int racy; // race: Template.racy
    final int[] elements = new int[1]; // race: Template.elements[]

    @Override
    public void run() {
        racyStatic++;
        racy++;
        elements[0]++;
        synchronized (Template.class) {
            guarded++;
        }
        separate();
        synchronizedMethod();
    }

    static synchronized void synchronizedMethod() {
        guarded++;
    }

    static void separate() {
        if (Thread.currentThread().getName().equals("separate")) {
            separate++;
        }
    }
}

/** Defined as a hidden class, too; what it has is also accessed by reflection. */
final class Mirrored implements Runnable {
    static int racyStatic; // race: Mirrored.racyStatic
    static int separate;
    int racy; // race: Mirrored.racy

    @Override
    public void run() {
        racyStatic++;
        racy++;
    }
}

public final class Main {
    static Runnable define(ClassOption... options) throws Exception {
        return define("Template.class", options);
    }

    static Runnable define(String template, ClassOption... options) throws Exception {
        try (InputStream in = Main.class.getResourceAsStream(template)) {
            MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), true, options);
            Class<?> hidden = lookup.lookupClass();
            System.out.println(hidden.isHidden() + " " + hidden.getDeclaredFields().length);
            return (Runnable) hidden.getDeclaredConstructor().newInstance();
        }
    }

    public static void main(String[] args) throws Exception {
        Runnable strong = define(ClassOption.STRONG, ClassOption.NESTMATE);
        thrice(strong::run);
        Runnable first = define();
        Runnable second = define();
        Runnable third = define();
        each("separate", first::run);
        each("separate", second::run);
        each("separate", third::run);

        Runnable mirrored = define("Mirrored.class");
        each(mirrored::run, () -> set(mirrored, "racyStatic"), () -> set(mirrored, "racy"));
        Runnable other = define("Mirrored.class");
        each(() -> set(mirrored, "separate"), () -> set(other, "separate"));
    }

    static void set(Runnable of, String name) {
        try {
            of.getClass().getDeclaredField(name).setInt(of, 7);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
