package loading;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Holds the loading of a class up until another one has come. */
public final class Main extends ClassLoader {
    private static final Set<String> OWN = Set.of("loading.Base", "loading.Counter", "loading.Plugin");

    static {
        registerAsParallelCapable();
    }

    private final CountDownLatch isLoading = new CountDownLatch(1);
    private final CountDownLatch isLoaded = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
        Main loader = new Main();
        Thread thread = new Thread(() -> loader.run("loading.Counter"));
        thread.start();
        loader.isLoading.await();
        Class.forName("loading.Plugin", false, loader);
        loader.isLoaded.countDown();
        thread.join();
        loader.run("loading.Plugin");
    }

    private void run(String name) {
        try {
            ((Runnable) Class.forName(name, true, this).getDeclaredConstructor().newInstance()).run();
        } catch (ReflectiveOperationException failure) {
            throw new AssertionError(failure);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> known = findLoadedClass(name);
        if (known != null || !OWN.contains(name)) {
            return known != null ? known : super.loadClass(name, resolve);
        }
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (name.equals("loading.Base")) {
                isLoading.countDown();
                isLoaded.await();
            }
            byte[] bytes = file.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException | InterruptedException failure) {
            throw new ClassNotFoundException(name, failure);
        }
    }
}
