package observer;

import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassVisitor;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.MethodVisitor;
import jdk.internal.org.objectweb.asm.Type;

/** Notes which methods of an application are called from where, and which casts fail, in a file. An agent for JDK 17, which has ASM. */
public final class Observer implements ClassFileTransformer {
    /** A method is looked at so often: more of its callers may be missed, none is made up. */
    private static final int OFTEN = 20_000;

    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();
    private static final int[] LEFT = new int[1 << 16];
    private static int methods;

    public static void premain(String file, Instrumentation instrumentation) {
        instrumentation.addTransformer(new Observer());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Files.write(Path.of(file), SEEN.stream().sorted().toList());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
    }

    /** A method begins. What runs an initializer does not call it. */
    public static void enter(int method) {
        if (LEFT[method] > 0) {
            LEFT[method]--;
            List<StackWalker.StackFrame> frames = frames(2);
            if (!frames.get(0).getMethodName().equals("<clinit>")) {
                String caller = frames.size() > 1 ? at(frames.get(1)) : "\t";
                SEEN.add("call\t" + caller + "\t" + method(frames.get(0)));
            }
        }
    }

    /** A cast comes. */
    public static void cast(Object of, Class<?> to) {
        if (of != null && !to.isInstance(of)) {
            SEEN.add("cast\t" + at(frames(1).get(0)) + "\t" + to.getTypeName());
        }
    }

    private static List<StackWalker.StackFrame> frames(int most) {
        return StackWalker.getInstance().walk(frames -> frames.skip(2).filter(frame -> !reflects(frame)).limit(most).toList());
    }

    /** Whether a frame is between a reflective call and what it runs. */
    private static boolean reflects(StackWalker.StackFrame frame) {
        String name = frame.getClassName();
        return name.startsWith("java.lang.reflect.")
                || name.startsWith("jdk.internal.reflect.")
                || name.equals("java.lang.Class") && frame.getMethodName().equals("newInstance");
    }

    private static String at(StackWalker.StackFrame frame) {
        return method(frame) + "\t" + frame.getLineNumber();
    }

    private static String method(StackWalker.StackFrame frame) {
        Type type = Type.getMethodType(frame.getDescriptor());
        String parameters = Stream.of(type.getArgumentTypes()).map(Type::getClassName).collect(Collectors.joining(","));
        String returned = type.getReturnType().getClassName();
        return "<" + frame.getClassName() + ": " + returned + " " + frame.getMethodName() + "(" + parameters + ")>";
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] bytes) {
        if (loader != ClassLoader.getSystemClassLoader() || name.startsWith("observer/")) {
            return null;
        }
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        // Older classes cannot load a class as a constant.
        boolean casts = (reader.readShort(6) & 0xffff) >= 49;
        reader.accept(new ClassVisitor(ASM8, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String generic, String[] thrown) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, generic, thrown);
                return new MethodVisitor(ASM8, next) {
                    @Override
                    public void visitCode() {
                        super.visitCode();
                        super.visitLdcInsn(number());
                        super.visitMethodInsn(INVOKESTATIC, "observer/Observer", "enter", "(I)V", false);
                    }

                    @Override
                    public void visitTypeInsn(int opcode, String type) {
                        if (opcode == CHECKCAST && casts) {
                            super.visitInsn(DUP);
                            super.visitLdcInsn(Type.getObjectType(type));
                            String descriptor = "(Ljava/lang/Object;Ljava/lang/Class;)V";
                            super.visitMethodInsn(INVOKESTATIC, "observer/Observer", "cast", descriptor, false);
                        }
                        super.visitTypeInsn(opcode, type);
                    }
                };
            }
        }, 0);
        return writer.toByteArray();
    }

    private static synchronized int number() {
        LEFT[methods] = OFTEN;
        return methods++;
    }
}
