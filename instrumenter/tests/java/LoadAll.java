import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads and links every class named in a file, from jars if there are any, and prints those that fail and how. */
public class LoadAll {
    public static void main(String[] args) throws Exception {
        ClassLoader loader = ClassLoader.getSystemClassLoader();
        if (args.length > 1) {
            URL[] urls = new URL[args.length - 1];
            for (int i = 0; i < urls.length; i++) urls[i] = new File(args[i + 1]).toURI().toURL();
            loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
        }
        int loaded = 0;
        for (String name : Files.readAllLines(Path.of(args[0]))) {
            try {
                // Asking for its methods links a class without running its initializer.
                Class.forName(name, false, loader).getDeclaredMethods();
                loaded++;
            } catch (VerifyError | ClassFormatError | IncompatibleClassChangeError e) {
                System.out.println("BAD " + name + " " + e);
            } catch (Throwable e) {
                System.out.println("absent " + name + " " + e.getClass().getName());
            }
        }
        System.out.println("loaded " + loaded);
    }
}
