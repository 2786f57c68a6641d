import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A web application on the loopback address, and two hundred requests, twenty at a time. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
public class Boot {
    private final Map<String, LongAdder> visits = new ConcurrentHashMap<>();

    @GetMapping("/visit/{name}")
    String visit(@PathVariable("name") String name) {
        visits.computeIfAbsent(name, key -> new LongAdder()).increment();
        return name;
    }

    @GetMapping("/total")
    long total() {
        return visits.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public static void main(String[] args) throws Exception {
        String[] options = {"--server.address=127.0.0.1", "--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=off"};
        try (var context = (ServletWebServerApplicationContext) SpringApplication.run(Boot.class, options)) {
            String base = "http://127.0.0.1:" + context.getWebServer().getPort();
            HttpClient client = HttpClient.newHttpClient();
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(base + "/visit/" + i)).build();
                    answers.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
                }
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    answer.get();
                }
            }
            HttpRequest total = HttpRequest.newBuilder(URI.create(base + "/total")).build();
            System.out.println(client.send(total, HttpResponse.BodyHandlers.ofString()).body() + " visits");
        }
        System.exit(0);
    }
}
