import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A client of Derby, which has no `main` of its own that reaches the database. */
public class Query {
    public static void main(String[] args) throws SQLException {
        try (Connection connection = new org.apache.derby.jdbc.EmbeddedDriver().connect(args[0], new Properties());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(args[1])) {
            while (rows.next()) {
                System.out.println(rows.getString(1));
            }
        }
    }
}
