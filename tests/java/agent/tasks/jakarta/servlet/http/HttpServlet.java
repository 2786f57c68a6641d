package jakarta.servlet.http;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/** Stands for that of the servlet API. */
public abstract class HttpServlet {
    public void service(ServletRequest request, ServletResponse response) {
        handle();
    }

    protected abstract void handle();
}
