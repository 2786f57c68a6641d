package jakarta.servlet;

/** Stands for that of the servlet API. */
public interface ServletResponse {}
