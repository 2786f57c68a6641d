package java.lang;

/** The hooks of accesses in a JVM that records and checks nothing. */
class JraceAccess extends JraceRecorder {}
