package shop;

import jakarta.annotation.PostConstruct;
import jakarta.servlet.http.HttpServlet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.task.TaskExecutor;
import org.springframework.data.CrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.servlet.HandlerInterceptor;

/** What beans of Spring and servlets share, and what is a request's own. */
public class Shop {
    static String title;

    public static void main(String[] arguments) {
        title = "shop";
        SpringApplication.run(Shop.class, arguments);
    }
}

@RestController
class Orders implements OrdersApi {
    private final Prices prices;
    private final Basket basket;
    private final JdbcTemplate template;
    private final TaskExecutor executor;
    private final Lines lines;
    @Autowired
    private Meter meter;
    @Autowired
    private Visits visits;
    private int orders; // RACE
    private int mapped; // RACE
    private int executed; // RACE
    private int named; // RACE
    private int counted;
    private String greeting;

    Orders(Prices prices, Basket basket, JdbcTemplate template, TaskExecutor executor, Lines lines) {
        this.prices = prices;
        this.basket = basket;
        this.template = template;
        this.executor = executor;
        this.lines = lines;
    }

    @PostConstruct
    void begin() {
        greeting = "hello " + Shop.title;
    }

    @GetMapping
    String order(Form form) {
        orders++;
        form.item = greeting + Shop.title;
        form.count++;
        basket.put(form.item);
        prices.price(form.item);
        meter.count();
        visits.add();
        Note.of(form.item).read();
        Note.ALL.get(form.item).read();
        count();
        template.query(form.item, text -> mapped++);
        executor.execute(() -> executed++);
        Line line = new Line();
        line.text = form.item;
        Line saved = lines.save(line);
        if (saved != null) {
            saved.text = lines.find().text;
        }
        return form.item;
    }

    @Override
    public void name(String name) {
        named++;
    }

    private synchronized void count() {
        counted++;
    }
}

/** Its annotations count for who implements it. */
interface OrdersApi {
    @GetMapping
    void name(String name);
}

/** Made of what a request has. */
class Form {
    String item;
    int count;
}

class Line {
    String text;
}

/** Everybody's, once it is in the map of all. */
class Note {
    static final Map<String, Note> ALL = new ConcurrentHashMap<>();
    private static final Map<String, List<String>> LINES = new ConcurrentHashMap<>();
    private String text;
    private int reads; // RACE

    static Note of(String text) {
        Note note = new Note();
        note.set(text);
        ALL.put(text, note);
        List<String> lines = new ArrayList<>();
        lines.add(text);
        LINES.put(text, lines);
        return note;
    }

    private void set(String text) {
        this.text = text;
    }

    String read() {
        reads++;
        return LINES.get(text).get(0);
    }
}

/** A library implements it. */
interface Lines extends CrudRepository<Line> {
    Line find();
}

@Component
class Prices {
    private final Map<String, Integer> known = new HashMap<>(); // RACE
    private int updates; // RACE
    private int ticks;

    int price(String item) {
        return known.computeIfAbsent(item, String::length) + updates;
    }

    @Scheduled
    void update() {
        updates++;
        ticks++;
    }
}

@Component
@RequestScope
class Basket {
    private String last;

    void put(String item) {
        last = item + last;
    }
}

/** A request has one of its own. */
@RestController
@Scope("prototype")
class Search {
    private String text;

    @GetMapping
    String search(String text) {
        this.text = text;
        return this.text;
    }
}

@Configuration
class Beans {
    @Bean
    Meter meter() {
        return new Meter();
    }

    @Bean
    @Scope("session")
    Visits visits() {
        return new Visits();
    }
}

/** Only a method of another bean makes it one. */
class Meter {
    private int count; // RACE

    void count() {
        count++;
    }
}

class Visits {
    private int number;

    void add() {
        number++;
    }
}

@Component
class Runner implements CommandLineRunner {
    private int runs;

    @Override
    public void run(String... arguments) {
        runs++;
    }
}

/** A library calls it before and after each request. */
@Component
class Timing implements HandlerInterceptor {
    private int done; // RACE
    private String unit;

    @Override
    public void afterPropertiesSet() {
        unit = "ms";
    }

    @Override
    public void afterCompletion(String request) {
        done += unit.length();
    }
}

class Images extends HttpServlet {
    private int shown; // RACE
    private String folder;

    @Override
    public void init() {
        folder = "images";
    }

    @Override
    protected void doGet(String request) {
        shown += folder.length();
    }
}
