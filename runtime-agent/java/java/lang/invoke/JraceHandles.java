package java.lang.invoke;

/** What the handles of getters and setters access. */
public final class JraceHandles {
    private JraceHandles() {}

    /** A field, as it was looked up. */
    public record Accessed(Class<?> declaring, String name, Class<?> type, boolean isStatic, boolean isWritten) {}

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
