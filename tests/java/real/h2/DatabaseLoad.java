import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Concurrent transactions on an in-memory H2 database: threads move money between accounts, keep a journal, and read sums.
 *
 * <p>What it prints is the same in every run: each thread draws its operations from its own seed, transfers that collide are
 * tried again, and sums do not depend on the order.
 */
public final class DatabaseLoad {
    private static final int THREADS = 4;
    private static final int OPERATIONS = 300;
    private static final int ACCOUNTS = 20;
    private static final int BALANCE = 1000;
    private static final String URL = "jdbc:h2:mem:bank;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";

    /** SQLSTATE of a deadlock and H2's code of a concurrent update: the transaction may be tried again. */
    private static final int DEADLOCK = 40001;
    private static final int CONCURRENT_UPDATE = 90131;

    private static final AtomicInteger WRONG_SUMS = new AtomicInteger();
    private static final AtomicInteger FAILURES = new AtomicInteger();

    private DatabaseLoad() {}

    public static void main(String[] args) throws Exception {
        try (Connection keep = DriverManager.getConnection(URL)) {
            create(keep);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                Thread thread = new Thread(() -> client(number), "client-" + i);
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            report(keep);
            execute(keep, "SHUTDOWN");
        }
        System.exit(FAILURES.get() == 0 ? 0 : 1);
    }

    private static void create(Connection connection) throws SQLException {
        execute(connection, "CREATE TABLE account(id INT PRIMARY KEY, balance INT NOT NULL, moves INT NOT NULL)");
        execute(connection, "CREATE TABLE journal(client INT, step INT, source INT, target INT, amount INT,"
            + " note VARCHAR(40), PRIMARY KEY(client, step))");
        execute(connection, "CREATE INDEX journal_source ON journal(source)");
        execute(connection, "INSERT INTO account SELECT x, " + BALANCE + ", 0 FROM SYSTEM_RANGE(0, " + (ACCOUNTS - 1) + ")");
    }

    private static void client(int number) {
        try (Connection connection = DriverManager.getConnection(URL)) {
            connection.setAutoCommit(false);
            Random random = new Random(number);
            for (int step = 0; step < OPERATIONS; step++) {
                operation(connection, number, step, random.nextInt(1_000_000));
            }
        } catch (SQLException | RuntimeException e) {
            e.printStackTrace();
            FAILURES.incrementAndGet();
        }
    }

    private static void operation(Connection connection, int number, int step, int draw) throws SQLException {
        if (step % 10 == 9) {
            if (sum(connection, "SELECT SUM(balance) FROM account") != (long) ACCOUNTS * BALANCE) {
                WRONG_SUMS.incrementAndGet();
            }
            connection.commit();
            return;
        }
        int source = draw % ACCOUNTS;
        int target = (source + 1 + draw / 7 % (ACCOUNTS - 1)) % ACCOUNTS;
        int amount = draw % 50;
        boolean done = false;
        while (!done) {
            try {
                transfer(connection, number, step, source, target, amount);
                done = true;
            } catch (SQLException e) {
                connection.rollback();
                if (e.getErrorCode() != DEADLOCK && e.getErrorCode() != CONCURRENT_UPDATE) {
                    throw e;
                }
            }
        }
    }

    private static void transfer(Connection connection, int number, int step, int source, int target, int amount)
            throws SQLException {
        move(connection, source, -amount);
        move(connection, target, amount);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO journal VALUES(?, ?, ?, ?, ?, ?)")) {
            insert.setInt(1, number);
            insert.setInt(2, step);
            insert.setInt(3, source);
            insert.setInt(4, target);
            insert.setInt(5, amount);
            insert.setString(6, "transfer " + number + "/" + step);
            insert.executeUpdate();
        }
        if (step % 20 == 5) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    private static void move(Connection connection, int account, int amount) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE account SET balance = balance + ?, moves = moves + 1 WHERE id = ?")) {
            update.setInt(1, amount);
            update.setInt(2, account);
            update.executeUpdate();
        }
    }

    private static void report(Connection connection) throws SQLException {
        System.out.println("balance " + sum(connection, "SELECT SUM(balance) FROM account"));
        System.out.println("moves " + sum(connection, "SELECT SUM(moves) FROM account"));
        System.out.println("checksum " + sum(connection, "SELECT SUM(balance * (id + 1)) FROM account"));
        System.out.println("journal " + sum(connection, "SELECT COUNT(*) FROM journal")
            + " amounts " + sum(connection, "SELECT SUM(amount * (client + 1)) FROM journal WHERE source < target")
            + " notes " + sum(connection, "SELECT SUM(LENGTH(note)) FROM journal j JOIN account a ON a.id = j.source"));
        System.out.println("wrong sums " + WRONG_SUMS.get() + ", failures " + FAILURES.get());
    }

    private static long sum(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
