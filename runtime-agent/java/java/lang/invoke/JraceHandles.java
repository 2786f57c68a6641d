package java.lang.invoke;

/** What the handles of getters and setters access. */
public final class JraceHandles {
    private JraceHandles() {}

    /** A field, as it was looked up. */
    public record Accessed(Class<?> declaring, String name, Class<?> type, boolean isStatic, boolean isWritten) {}

    /** A member for which a handle is made. */
    public record Named(Class<?> declaring, String name, String descriptor, int modifiers) {}

    /** The class that declares what has a name; null if it is none. */
    public static Class<?> declaring(Object name) {
        return name instanceof MemberName member ? member.getDeclaringClass() : null;
    }

    /** What is known of a name of a member; null if it is not to be told: what stands for a lambda's body is known to be called. */
    public static Named named(Object name) {
        if (!(name instanceof MemberName member)) {
            return null;
        }
        String text = member.getName();
        if (member.isField()) {
            return new Named(member.getDeclaringClass(), text, member.getFieldType().descriptorString(), member.getModifiers());
        }
        if (member.isConstructor()) {
            return new Named(member.getDeclaringClass(), text, "", 0);
        }
        if (!member.isMethod() || member.isSynthetic() && text.startsWith("lambda$")) {
            return null;
        }
        return new Named(member.getDeclaringClass(), text, member.getMethodType().toMethodDescriptorString(), member.getModifiers());
    }

    /** The field that a method handle reads or writes, if it does nothing else; null if it does. */
    public static Accessed by(Object handle) {
        MemberName member = ((MethodHandle) handle).internalMemberName();
        if (member == null || !member.isField()) {
            return null;
        }
        boolean isWritten = MethodHandleNatives.refKindIsSetter(member.getReferenceKind());
        return new Accessed(member.getDeclaringClass(), member.getName(), member.getFieldType(), member.isStatic(), isWritten);
    }
}
