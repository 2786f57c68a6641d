package java.lang;

import static java.lang.JraceMemory.U;

import java.lang.JraceLayout.Member;
import jdk.internal.vm.annotation.ForceInline;
import jdk.internal.vm.annotation.Stable;

/**
 * What is known of a class of the library, by whose objects calls go that may read or write contents ({@code facts::models::contents}).
 * Compiled code holds the kind that a site met first as a constant.
 */
final class JraceKind {
    private static final int NUMBERS = 1 << 10;
    private static final int SMALLEST = 1 << 8;

    /** In place of an offset: the objects have no contents that are checked. */
    static final int UNCHECKED = -1;

    /** What the entry of a class of the program says of its methods. */
    private static final int INHERITING = 1;

    private static final int OVERRIDING = 2;

    /** That of classes that are not the library's, where methods of theirs do what a call does: these are woven. */
    private static final JraceKind FOREIGN = new JraceKind(null, 0);

    /** By number; at 0, and at the last number, which stands for sites that need no check, a kind that fits no object. */
    @Stable
    private static final JraceKind[] NUMBERED = new JraceKind[NUMBERS];

    private static int last;
    private static int size;
    /** An open hash table, by class. */
    private static volatile JraceKind[] table = new JraceKind[SMALLEST];

    static {
        FOREIGN.word = UNCHECKED;
        JraceKind none = new JraceKind(null, 0);
        NUMBERED[0] = none;
        NUMBERED[NUMBERS - 1] = none;
    }

    @Stable
    final Class<?> type;
    /** Other than 0 for the first thousand kinds. */
    @Stable
    final int number;
    /** Offset of the word for the contents; 0 if objects stand for others, or have their words in the weak table. */
    @Stable
    private int word;
    /** Offset of the reference to what the objects stand for; 0 if they stand for themselves. */
    @Stable
    private int step;
    /** Offset of what is kept of the elements; 0 if they count as one. */
    @Stable
    private int elements;
    /** Of an iterator, offset of the index of the element that comes next; 0 for others. */
    @Stable
    private int cursor;
    /** Of a part of a list, offset of the index where it begins; 0 for others. */
    @Stable
    private int begin;
    /** Whether what is at an index is there in what the objects stand for, too. */
    @Stable
    private boolean isWrapper;
    /** Offset of the reference to the lock that each of the methods takes; 0 for none. */
    @Stable
    private int lock;
    /** What the objects stood for at first, if it carries a word. */
    @Stable
    private JraceKind target;

    private JraceKind(Class<?> type, int number) {
        this.type = type;
        this.number = number;
    }

    @ForceInline
    int word() {
        return word;
    }

    @ForceInline
    int step() {
        return step;
    }

    @ForceInline
    int elements() {
        return elements;
    }

    /** To which element of what the object stands for an access comes that comes to one of it, to each, or to none. */
    @ForceInline
    int index(Object object, int index, boolean write) {
        if (index < 0) {
            return cursor != 0 && index == JraceElements.NONE && !write ? U.getInt(object, cursor) | JraceElements.ITERATED : index;
        }
        if (begin != 0) {
            return index + U.getInt(object, begin);
        }
        return isWrapper ? index : write ? JraceElements.NONE : JraceElements.EACH;
    }

    int lock() {
        return lock;
    }

    @ForceInline
    JraceKind target() {
        return target;
    }

    void leadsTo(JraceKind kind) {
        if (target == null && lock == 0 && kind.word > 0) {
            target = kind;
        }
    }

    @ForceInline
    static JraceKind numbered(int number) {
        return NUMBERED[number & NUMBERS - 1];
    }

    /** The kind of a class, of whose objects nothing is called. */
    static JraceKind of(Class<?> type) {
        return of(type, 0);
    }

    /** The kind of a class, a method of whose object is called at a site. */
    static JraceKind of(Class<?> type, int site) {
        if (type.getClassLoader0() != null) {
            return inherited(type, site);
        }
        JraceKind known = find(table, type);
        return known != null ? known : make(type);
    }

    /** The kind of the library's class that this one extends. */
    static JraceKind above(Class<?> type) {
        Class<?> library = type;
        while (library.getClassLoader0() != null) {
            library = library.getSuperclass();
        }
        return of(library);
    }

    /** The kind of a class of the program: that of the library's class it extends, if the method that is called is that one's. */
    private static JraceKind inherited(Class<?> type, int site) {
        JraceKind above = above(type);
        if (above.word == UNCHECKED) {
            return FOREIGN;
        }
        JraceShadow shadow = JraceShadow.of(type);
        if (shadow.element == 0) {
            shadow.element = overrides(type, above.type) ? OVERRIDING : INHERITING;
        }
        boolean isAbove = shadow.element == INHERITING || JraceInherited.isOfLibrary(type, above.type, site);
        return isAbove ? above : FOREIGN;
    }

    /** The kind of a class where its code calls the method above it. */
    static JraceKind ofSuper(Class<?> type, int site) {
        JraceKind above = above(type);
        boolean isAbove = above.word != UNCHECKED && JraceInherited.isOfLibraryAbove(type, above.type, site);
        return isAbove ? above : FOREIGN;
    }

    private static boolean overrides(Class<?> type, Class<?> library) {
        for (Class<?> c = type; c.getClassLoader0() != null; c = c.getSuperclass()) {
            if (JraceAgent.overrides(c, library.getName())) {
                return true;
            }
        }
        return false;
    }

    private static JraceKind find(JraceKind[] table, Class<?> type) {
        int at = System.identityHashCode(type);
        while (true) {
            JraceKind kind = table[at & table.length - 1];
            if (kind == null || kind.type == type) {
                return kind;
            }
            at++;
        }
    }

    private static synchronized JraceKind make(Class<?> type) {
        JraceKind known = find(table, type);
        if (known != null) {
            return known;
        }
        int number = last + 1 < NUMBERS - 1 ? last + 1 : 0;
        JraceKind kind = new JraceKind(type, number);
        kind.resolve();
        U.storeFence();
        if (number != 0) {
            NUMBERED[number] = kind;
            last = number;
        }
        enter(kind);
        return kind;
    }

    private static void enter(JraceKind kind) {
        JraceKind[] old = table;
        if (2 * ++size > old.length) {
            JraceKind[] larger = new JraceKind[2 * old.length];
            for (JraceKind each : old) {
                if (each != null) {
                    put(larger, each);
                }
            }
            put(larger, kind);
            table = larger;
        } else {
            put(old, kind);
        }
    }

    private static void put(JraceKind[] table, JraceKind kind) {
        int at = System.identityHashCode(kind.type);
        while (table[at & table.length - 1] != null) {
            at++;
        }
        table[at & table.length - 1] = kind;
    }

    /** Finds the nearest class above of which the models say something. */
    private void resolve() {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String fields = JraceAgent.contents(c.getName());
            if (fields != null) {
                resolve(c, fields);
                return;
            }
        }
        word = UNCHECKED;
    }

    private void resolve(Class<?> declaring, String fields) {
        if (fields.isEmpty()) {
            word = offset(declaring, Member.CONTENTS);
            elements = offset(declaring, Member.ELEMENTS);
            return;
        }
        int comma = fields.indexOf(',');
        step = offset(declaring, comma < 0 ? fields : fields.substring(0, comma));
        lock = comma < 0 ? 0 : offset(declaring, fields.substring(comma + 1));
        cursor = offset(declaring, "cursor");
        begin = offset(declaring, "offset");
        isWrapper = declaring.getName().startsWith("java.util.Collections$");
        if (step == 0 || comma >= 0 && lock == 0) {
            step = 0;
            word = UNCHECKED;
        }
    }

    /** 0 for a field that the class does not have. */
    private static int offset(Class<?> declaring, String field) {
        return Math.max(0, (int) JraceMemory.offset(declaring, field));
    }
}
