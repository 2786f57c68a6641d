package json;

import static util.Threads.thrice;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plain object; its fields are used before and after. */
class Order {
    private int number = 12;
    private String customer = "someone";
    private double[] prices = {1.5, 2};
    private List<Line> lines = new ArrayList<>(List.of(new Line("bread", 2), new Line("milk", 1)));
    private Map<String, Kind> kinds = new TreeMap<>(Map.of("a", Kind.SMALL));
    private transient int secret = 5;
    volatile boolean open = true;

    synchronized void touch() {
        number++;
        secret++;
        prices[1] += number;
        lines.get(0).count++;
    }
}

class Line {
    String what;
    int count;

    Line() {
    }

    Line(String what, int count) {
        this.what = what;
        this.count = count;
    }
}

enum Kind {
    SMALL, LARGE
}

public final class Main {
    public static void main(String[] args) throws Exception {
        Order order = new Order();
        thrice(order::touch);
        Gson gson = new Gson();
        String text = gson.toJson(order);
        System.out.println(text);
        Order read = gson.fromJson(text, Order.class);
        thrice(read::touch);
        System.out.println(gson.toJson(read));
        // Even with the modifiers that would show transient fields.
        Gson all = new GsonBuilder().excludeFieldsWithModifiers(Modifier.STATIC).create();
        System.out.println(all.toJson(read));
        ObjectMapper mapper = new ObjectMapper();
        mapper.setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
        String written = mapper.writeValueAsString(order);
        System.out.println(written);
        Order again = mapper.readValue(written, Order.class);
        thrice(again::touch);
        System.out.println(mapper.writeValueAsString(again));
    }
}
