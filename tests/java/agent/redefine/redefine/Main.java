package redefine;

import static util.Threads.thrice;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;

/** Redefines and retransforms a woven class, with a live object, between races. */
public final class Main {
    static final Target TARGET = new Target();

    public static void main(String[] args) throws Exception {
        Instrumentation instrumentation = Agent.instrumentation;
        thrice(() -> {
            System.out.println(TARGET.answer());
            TARGET.touch(false);
        });
        Agent.Replace two = new Agent.Replace("redefine/Target", "constant-1", "constant-2");
        instrumentation.addTransformer(two, true);
        instrumentation.retransformClasses(Target.class);
        System.out.println(TARGET.answer());
        instrumentation.redefineClasses(new ClassDefinition(Target.class, Files.readAllBytes(Path.of(args[0]))));
        System.out.println(TARGET.answer());
        instrumentation.removeTransformer(two);
        instrumentation.retransformClasses(Target.class, Main.class);
        thrice(() -> {
            System.out.println(TARGET.answer());
            TARGET.touch(true);
        });
        System.out.println(TARGET.guarded + " " + Target.class.getDeclaredFields().length);
        try {
            byte[] other = Files.readAllBytes(Path.of(args[1]));
            instrumentation.redefineClasses(new ClassDefinition(Target.class, other));
            System.out.println("redefined with another class");
        } catch (NoClassDefFoundError | UnsupportedOperationException expected) {
            System.out.println(expected);
        }
        instrumentation.retransformClasses(String.class, Thread.class, java.util.concurrent.locks.ReentrantLock.class);
        System.out.println(instrumentation.isModifiableClass(Target.class));
        for (Class<?> each : instrumentation.getAllLoadedClasses()) {
            retransform(instrumentation, each);
        }
    }

    /** What was woven as the JVM booted keeps its fields. */
    private static void retransform(Instrumentation instrumentation, Class<?> each) {
        try {
            if (instrumentation.isModifiableClass(each)) {
                instrumentation.retransformClasses(each);
            }
        } catch (UnsupportedOperationException | java.lang.instrument.UnmodifiableClassException | LinkageError e) {
            System.out.println(each + ": " + e);
        }
    }
}
