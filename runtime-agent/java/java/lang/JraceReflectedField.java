package java.lang;

import static java.lang.JraceMemory.NOWHERE;
import static java.lang.JraceMemory.U;

import java.lang.invoke.JraceHandles;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * A field that is accessed by what stands for it: a {@link Field}, a variable handle, or the method handle of a getter or setter. For every
 * field that a call accesses there is a site.
 */
final class JraceReflectedField {
    /** The field of handles that are not known to stand for one that is to be checked. */
    private static final JraceReflectedField NONE = new JraceReflectedField(null, null, null, false, false);

    private static final int CALLS = 1 << 10;

    /** The sites of calls, by call and class. */
    private static final Site[] SITES = new Site[CALLS];

    private static final class Site {
        final int call;
        final int declaring;
        final String name;
        final int number;
        final Site next;

        Site(int call, int declaring, String name, int number, Site next) {
            this.call = call;
            this.declaring = declaring;
            this.name = name;
            this.number = number;
            this.next = next;
        }
    }

    private final JraceShadow declaring;
    private final String name;
    private final Class<?> type;
    final boolean isStatic;
    /** Whether it is only read by the handle, or only written; a variable handle does both. */
    private final boolean isRead;
    private final boolean isWritten;

    private JraceReflectedField(Class<?> declaring, String name, Class<?> type, boolean isStatic, boolean isRead, boolean isWritten) {
        this.declaring = declaring == null ? null : JraceShadow.of(declaring).knows(declaring);
        this.name = name;
        this.type = type;
        this.isStatic = isStatic;
        this.isRead = isRead;
        this.isWritten = isWritten;
    }

    private JraceReflectedField(Class<?> declaring, String name, Class<?> type, boolean isStatic, boolean isAccessed) {
        this(declaring, name, type, isStatic, isAccessed, isAccessed);
    }

    /** The field that a handle stands for, whatever it is. */
    static JraceReflectedField by(Object handle) {
        if (handle instanceof Field field) {
            return of(field);
        }
        JraceShadow shadow = JraceShadow.of(handle);
        JraceReflectedField known = shadow.reflected();
        if (known == null) {
            known = handle instanceof VarHandle ? byVariable(handle) : byMethod(handle);
            shadow.reflects(known);
        }
        return known;
    }

    private static JraceReflectedField of(Field field) {
        boolean isStatic = Modifier.isStatic(field.getModifiers());
        return new JraceReflectedField(field.getDeclaringClass(), field.getName(), field.getType(), isStatic, true);
    }

    private static JraceReflectedField byMethod(Object handle) {
        JraceHandles.Accessed field = handle instanceof MethodHandle ? JraceHandles.by(handle) : null;
        return field == null
                ? NONE
                : new JraceReflectedField(field.declaring(), field.name(), field.type(), field.isStatic(), !field.isWritten(), field.isWritten());
    }

    // ---- variable handles -----------------------------------------------------------------------------------------

    /** Plain accesses to volatile fields order nothing, and are no accesses that race. */
    private static JraceReflectedField byVariable(Object handle) {
        Object meant = handle.getClass().getName().equals("java.lang.invoke.LazyInitializingVarHandle") ? reference(handle, "target") : handle;
        Field field = meant == null ? null : field(meant);
        return field == null || Modifier.isVolatile(field.getModifiers()) ? NONE : of(field);
    }

    private static Field field(Object handle) {
        Object receiver = reference(handle, "receiverType");
        boolean isStatic = receiver == null;
        Object start = isStatic ? reference(handle, "base") : receiver;
        long place = offset(handle, "fieldOffset");
        if (!(start instanceof Class<?>) || place < 0) {
            return null;
        }
        long offset = U.getLong(handle, place);
        for (Class<?> c = (Class<?>) start; c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) == isStatic && offset(field, isStatic) == offset) {
                    return field;
                }
            }
        }
        return null;
    }

    private static long offset(Field field, boolean isStatic) {
        return isStatic ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
    }

    private static Object reference(Object handle, String name) {
        long offset = offset(handle, name);
        return offset < 0 ? null : U.getReference(handle, offset);
    }

    /** Where a handle has what it is about: the names are those of its class in `java.lang.invoke`; {@link JraceMemory#NOWHERE} if it has no such field. */
    private static long offset(Object handle, String name) {
        for (Class<?> c = handle.getClass(); c != VarHandle.class && c != null; c = c.getSuperclass()) {
            long offset = JraceMemory.offset(c, name);
            if (offset != NOWHERE) {
                return offset;
            }
        }
        return NOWHERE;
    }

    // ---- sites ----------------------------------------------------------------------------------------------------

    /** The site of a call that accesses the field in an object; 0 if there is nothing to check. */
    int site(int call, Object object, boolean write) {
        Object of = declaring == null || !(write ? isWritten : isRead) ? null : declaring.object();
        if (of == null || !isStatic && !((Class<?>) of).isInstance(object)) {
            return 0;
        }
        int at = (call * 31 + declaring.id) & CALLS - 1;
        for (Site site = SITES[at]; site != null; site = site.next) {
            if (site.call == call && site.declaring == declaring.id && site.name.equals(name)) {
                return site.number;
            }
        }
        return make(call, (Class<?>) of, write, at);
    }

    private int make(int call, Class<?> owner, boolean write, int at) {
        String of = JraceSites.plainName(owner);
        int number = JraceAgent.reflectiveSite(call, of, name, type.descriptorString(), isStatic, write);
        if (isStatic && number != 0) {
            // By its name, the caller may find another class, or none.
            JraceSites.resolveStatic(number, owner);
        }
        synchronized (SITES) {
            Site site = new Site(call, declaring.id, name, number, SITES[at]);
            U.storeFence();
            SITES[at] = site;
        }
        return number;
    }
}
