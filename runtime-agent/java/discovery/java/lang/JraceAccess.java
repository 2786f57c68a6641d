package java.lang;

/** The hooks of accesses in a JVM that is observed for type discovery. */
class JraceAccess extends JraceDiscovery {}
