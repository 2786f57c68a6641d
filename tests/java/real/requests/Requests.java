import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.startup.Tomcat;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** A web application, and a client that sends one request after the other: to Tomcat, or by mocks. */
@RestController
final class Orders {
    record Receipt(String customer, int number) {}

    static final class Customer {
        int orders; // race: Orders$Customer.orders
    }

    private static final ThreadLocal<StringBuilder> TEXT = ThreadLocal.withInitial(StringBuilder::new);

    int accepted; // race: Orders.accepted
    int counted;
    int closedBy;
    Customer latest; // race: Orders.latest
    final Map<String, Integer> recent = new HashMap<>(); // race: Orders.recent
    private final Map<String, Customer> customers = new ConcurrentHashMap<>();
    private volatile Map<String, String> settings;

    @GetMapping("/accept")
    Receipt accept(@RequestParam String customer) {
        latest = customers.computeIfAbsent(customer, name -> new Customer());
        latest.orders++;
        recent.put(customer, ++accepted);
        return new Receipt(customer, accepted);
    }

    @GetMapping("/count")
    synchronized int count() {
        return ++counted;
    }

    @GetMapping("/text")
    String text() {
        StringBuilder text = TEXT.get();
        text.setLength(0);
        return text.append(setting("currency")).toString();
    }

    private String setting(String name) {
        Map<String, String> known = settings;
        if (known == null) {
            known = new HashMap<>();
            known.put("currency", "EUR");
            settings = known;
        }
        return known.get(name);
    }
}

@Configuration
@EnableWebMvc
class Application {
    static final Orders ORDERS = new Orders();

    @Bean
    Orders orders() {
        return ORDERS;
    }
}

public final class Requests {
    private static final String[] PATHS = {"/accept?customer=a", "/count", "/text"};
    private static final int ROUNDS = 3;

    private Requests() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("mock")) {
            byMocks();
        } else {
            toTomcat();
        }
        Application.ORDERS.closedBy = Application.ORDERS.accepted;
        System.out.println("done");
    }

    private static void byMocks() throws Exception {
        MockMvc mocks = MockMvcBuilders.standaloneSetup(Application.ORDERS).build();
        for (int i = 0; i < ROUNDS; i++) {
            for (String path : PATHS) {
                check(mocks.perform(get(path)).andReturn().getResponse().getStatus());
            }
        }
    }

    private static void toTomcat() throws Exception {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.register(Application.class);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        org.apache.catalina.Context root = tomcat.addContext("", null);
        Tomcat.addServlet(root, "dispatcher", new DispatcherServlet(context)).setLoadOnStartup(1);
        root.addServletMappingDecoded("/*", "dispatcher");
        tomcat.start();
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < ROUNDS; i++) {
            for (String path : PATHS) {
                URI uri = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
                check(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).statusCode());
            }
        }
        tomcat.stop();
        tomcat.destroy();
    }

    private static void check(int status) {
        if (status != 200) {
            throw new IllegalStateException("status " + status);
        }
    }
}
