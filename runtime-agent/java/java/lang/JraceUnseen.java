package java.lang;

import java.io.ObjectStreamClass;
import java.lang.invoke.JraceHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** What is reached by reflection or handles, for the proofs of a focus: which member of which class it is. */
final class JraceUnseen {
    private static final String MADE = "<init>";

    private JraceUnseen() {}

    /** A member is about to be reached: by its mirror, by its name for a handle, or an object of a class. */
    static void reached(Object member) {
        if (member instanceof Field field) {
            if (!Modifier.isVolatile(field.getModifiers())) {
                tell(field.getDeclaringClass(), field.getName(), field.getType().descriptorString(), field.getModifiers());
            }
        } else if (member instanceof Method method) {
            tell(method.getDeclaringClass(), method.getName(), descriptor(method), method.getModifiers());
        } else if (member instanceof Constructor<?> constructor) {
            tell(constructor.getDeclaringClass(), MADE, "", 0);
        } else if (member instanceof Class<?> made) {
            tell(made, MADE, "", 0);
        } else if (member instanceof ObjectStreamClass stream) {
            Class<?> made = stream.forClass();
            if (made != null) {
                tell(made, MADE, "", 0);
            }
        } else {
            JraceHandles.Named named = JraceHandles.named(member);
            if (named != null) {
                tell(named.declaring(), named.name(), named.descriptor(), named.modifiers());
            }
        }
    }

    /** Nothing is proved of the JDK, but that its locks are held. */
    private static void tell(Class<?> declaring, String name, String descriptor, int modifiers) {
        boolean isLock = declaring.getName().startsWith("java.util.concurrent.locks.") && name.startsWith("unlock");
        if ((declaring.getClassLoader() != null || isLock) && !declaring.isHidden()) {
            JraceAgent.unseen(declaring.getName(), name, descriptor, Modifier.isFinal(modifiers));
        }
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        return text.append(')').append(method.getReturnType().descriptorString()).toString();
    }
}
