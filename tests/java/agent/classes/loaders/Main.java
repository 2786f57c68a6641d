package loaders;

import static util.Threads.each;
import static util.Threads.thrice;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** The same class in several loaders: variables of their own, with one name. */
public final class Main {
    /** Defines the classes of this package itself, whatever its parent has. */
    static class ChildFirst extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        ChildFirst(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("loaders.Twin")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = Main.class.getResourceAsStream(name.replaceFirst("loaders.", "") + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static Runnable twin(ClassLoader loader, String what) throws ReflectiveOperationException {
        return (Runnable) loader.loadClass("loaders.Twin").getConstructor(String.class).newInstance(what);
    }

    /** By reflection, from a class whose own loader has another class of that name, or none. */
    static void set(ClassLoader loader, String name) {
        try {
            Field field = loader.loadClass("loaders.Twin").getDeclaredField(name);
            field.setAccessible(true);
            field.setInt(null, 7);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        ClassLoader childFirst = new ChildFirst(Main.class.getClassLoader());
        ClassLoader alone = new ChildFirst(null);
        ClassLoader platform = new ChildFirst(ClassLoader.getPlatformClassLoader());
        List<ClassLoader> loaders = new ArrayList<>(List.of(Main.class.getClassLoader(), childFirst, alone, platform));
        for (ClassLoader loader : loaders) {
            Runnable separate = twin(loader, "separate");
            each(separate::run);
            Runnable guarded = twin(loader, "guarded");
            thrice(guarded::run);
        }
        Runnable racy = twin(alone, "racy");
        thrice(racy::run);
        Runnable racyStatic = twin(childFirst, "racyStatic");
        thrice(racyStatic::run);
        each(twin(alone, "mirrored")::run, () -> set(alone, "mirrored"));
        each(() -> set(alone, "separatelyMirrored"), () -> set(platform, "separatelyMirrored"));
        Thread[] threads = new Thread[8];
        ClassLoader parallel = new ChildFirst(null);
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    twin(parallel, "guarded").run();
                } catch (ReflectiveOperationException e) {
                    System.out.println(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(twin(alone, "x").getClass() == twin(platform, "x").getClass());
    }
}
