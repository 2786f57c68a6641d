package java.lang;

/**
 * The hooks of accesses, by the engine that this JVM was started for: here Eraser. The folders {@code recording}, {@code both} and
 * {@code discovery} have the other versions; the agent defines one of them, so no hook asks which it is.
 */
class JraceAccess extends JraceChecks {}
