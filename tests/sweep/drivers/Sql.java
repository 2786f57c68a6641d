import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Four threads, each with a connection of its own, move money between accounts, so often as is said; the sum stays. */
public final class Sql {
    public static void main(String[] args) throws Exception {
        String url = args[0];
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 25;
        try (Connection first = DriverManager.getConnection(url); Statement statement = first.createStatement()) {
            statement.execute("create table account (id int primary key, amount int)");
            for (int i = 0; i < 20; i++) {
                statement.execute("insert into account values (" + i + ", 100)");
            }
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                int own = i * 5;
                threads[i] = new Thread(() -> move(url, own, rounds));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            try (ResultSet sum = statement.executeQuery("select sum(amount), count(*) from account")) {
                sum.next();
                System.out.println(sum.getInt(1) + " in " + sum.getInt(2));
            }
        }
    }

    private static void move(String url, int own, int rounds) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement update = connection.prepareStatement("update account set amount = amount + ? where id = ?")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rounds; i++) {
                add(update, -1, own + i % 5);
                add(update, 1, own + (i + 1) % 5);
                connection.commit();
            }
        } catch (SQLException failure) {
            System.out.println(failure.getMessage());
        }
    }

    private static void add(PreparedStatement update, int amount, int id) throws SQLException {
        update.setInt(1, amount);
        update.setInt(2, id);
        update.executeUpdate();
    }
}
