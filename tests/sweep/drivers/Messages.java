import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

/** A broker inside the JVM, without files or sockets: two producers send two hundred messages to two consumers. */
public final class Messages {
    public static void main(String[] args) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.setBrokerName("sweep");
        broker.start();
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://sweep?create=false");
        // The paths of a topic are published before they are there (ActiveMQDestination.destinationPaths): of two that connect first, one may
        // fail, and its partner waits for ever.
        work(factory, 2, false);
        int[] received = new int[2];
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 2; i++) {
            int own = i;
            threads[i] = new Thread(() -> received[own] = work(factory, own, true));
            threads[2 + i] = new Thread(() -> work(factory, own, false));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        broker.stop();
        System.out.println(received[0] + received[1] + " messages");
    }

    private static int work(ActiveMQConnectionFactory factory, int own, boolean receives) {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            return receives ? receive(session, own) : send(session, own);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static int receive(Session session, int own) throws Exception {
        int sum = 0;
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("queue" + own))) {
            while (((TextMessage) consumer.receive()).getText().startsWith("more")) {
                sum++;
            }
        }
        return sum;
    }

    private static int send(Session session, int own) throws Exception {
        try (MessageProducer producer = session.createProducer(session.createQueue("queue" + own))) {
            for (int i = 0; i < 100; i++) {
                producer.send(session.createTextMessage("more " + i));
            }
            producer.send(session.createTextMessage("end"));
        }
        return 0;
    }
}
