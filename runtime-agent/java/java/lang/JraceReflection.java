package java.lang;

import java.io.ObjectStreamClass;
import java.lang.invoke.JraceHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** What is accessed by reflection or handles: which member of which class it is. */
final class JraceReflection {
    private static final String MADE = "<init>";

    private JraceReflection() {}

    /** Whether a member was accessed of which the agent does not know yet, as memory or stack ran out. */
    private static volatile boolean isMissed;

    /** A member is about to be accessed: by its mirror, by its name for a handle, or an object of a class. Nothing is thrown. */
    static void reflected(Object member) {
        try {
            tell(member);
        } catch (Throwable giveUp) {
            isMissed = true;
        }
        if (isMissed) {
            tellMissed();
        }
    }

    /** The class that declares a field, which may stand for it; null if it is not known. */
    static Class<?> declaring(Object field) {
        if (field instanceof Class<?> declaring) {
            return declaring;
        }
        return field instanceof Field mirror ? mirror.getDeclaringClass() : JraceHandles.declaring(field);
    }

    private static void tellMissed() {
        try {
            JraceAgent.reflectedSome();
            isMissed = false;
        } catch (Throwable giveUp) {
            // The next access tells.
        }
    }

    private static void tell(Object member) {
        if (member instanceof Field field) {
            tell(field.getDeclaringClass(), field.getName(), field.getType().descriptorString(), field.getModifiers());
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

    /** Nothing is proved of the JDK, but that its locks are held, and nothing of the class of a lambda, which has no fields but its own. */
    private static void tell(Class<?> declaring, String name, String descriptor, int modifiers) {
        String of = JraceSites.plainName(declaring);
        boolean isLock = of.startsWith("java.util.concurrent.locks.") && name.startsWith("unlock");
        boolean isLambda = declaring.isHidden() && of.contains("$$Lambda");
        if ((declaring.getClassLoader() != null || isLock) && !isLambda) {
            JraceAgent.reflected(of, name, descriptor, Modifier.isFinal(modifiers));
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
