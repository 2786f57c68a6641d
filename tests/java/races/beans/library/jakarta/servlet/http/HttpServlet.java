package jakarta.servlet.http;

public abstract class HttpServlet {
    protected void doGet(String request) {}

    public void init() {}
}
