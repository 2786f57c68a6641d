package java.lang;

/** The hooks of accesses in a JVM that records and checks. The trace has each access before it is checked. */
class JraceAccess extends JraceRecorder {
    public static void readField(Object object, int site) {
        JraceRecorder.readField(object, site);
        JraceChecks.readField(object, site);
    }

    public static void writeField(Object object, int site) {
        JraceRecorder.writeField(object, site);
        JraceChecks.writeField(object, site);
    }

    /** No access is recorded with an owner that it is held to. */
    public static void readOwned(Object object, int site) {
        readField(object, site);
    }

    public static void writeOwned(Object object, int site) {
        writeField(object, site);
    }

    public static void initField(Object object, int site) {
        JraceRecorder.initField(object, site);
        JraceChecks.initField(object, site);
    }

    public static void readStatic(int site) {
        JraceRecorder.readStatic(site);
        JraceChecks.readStatic(site);
    }

    public static void writeStatic(int site) {
        JraceRecorder.writeStatic(site);
        JraceChecks.writeStatic(site);
    }

    public static void readArray(Object array, int index, int site) {
        JraceRecorder.readArray(array, index, site);
        JraceChecks.readArray(array, index, site);
    }

    public static void readArrayBeside(Object array, int index, Object last, int site) {
        readArray(array, index, site);
    }

    public static void writeArray(Object array, int index, int site) {
        JraceRecorder.writeArray(array, index, site);
        JraceChecks.writeArray(array, index, site);
    }

    public static Object readArrayAgain(Object array, int index, Object last, int site) {
        readArray(array, index, site);
        return null;
    }

    public static Object writeArrayAgain(Object array, int index, Object last, int site) {
        writeArray(array, index, site);
        return null;
    }

    public static Object readArrayLater(Object array, int index, Object last, int site) {
        readArray(array, index, site);
        return null;
    }

    public static Object writeArrayLater(Object array, int index, Object last, int site) {
        writeArray(array, index, site);
        return null;
    }

    public static void readFinalArray(Object array, int index, Object object, int site) {
        readArray(array, index, site);
    }

    public static void writeFinalArray(Object array, int index, Object object, int site) {
        writeArray(array, index, site);
    }

    /** Contents are not recorded but for those of maps that several threads may use. */
    static void contents(Object base, long offset, Object object, int site, boolean write, boolean isNew) {
        JraceChecks.contents(base, offset, object, site, write, isNew);
    }
}
