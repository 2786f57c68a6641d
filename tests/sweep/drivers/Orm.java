import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Four threads, each with sessions of its own, raise the stock of items of their own in a database in memory. */
public final class Orm {
    /** What is kept. */
    @Entity(name = "Item")
    public static class Item {
        @Id int id;
        @Version int version;
        int stock;
    }

    public static void main(String[] args) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        Configuration configuration = new Configuration().addAnnotatedClass(Item.class);
        configuration.setProperty("hibernate.connection.url", "jdbc:h2:mem:orm;DB_CLOSE_DELAY=-1");
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        try (SessionFactory sessions = configuration.buildSessionFactory()) {
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                int own = i;
                threads[i] = new Thread(() -> stock(sessions, own));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            Long sum = sessions.fromSession(session -> session.createQuery("select sum(stock) from Item", Long.class).getSingleResult());
            System.out.println(sum);
        }
    }

    private static void stock(SessionFactory sessions, int id) {
        sessions.inTransaction(
                session -> {
                    Item item = new Item();
                    item.id = id;
                    session.persist(item);
                });
        for (int i = 0; i < 25; i++) {
            sessions.inTransaction(session -> session.find(Item.class, id).stock++);
        }
    }
}
