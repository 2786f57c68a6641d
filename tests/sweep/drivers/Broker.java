import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;

/** One node that is controller and broker, on the loopback address; a producer sends it a hundred records, which a consumer gets. */
public final class Broker {
    public static void main(String[] args) throws Exception {
        int controller = freePort();
        int broker = freePort();
        Path logs = Files.createTempDirectory(Path.of("out"), "kafka");
        Properties settings = settings(controller, broker, logs);
        Path file = Files.createTempFile(Path.of("out"), "server", ".properties");
        try (OutputStream out = Files.newOutputStream(file)) {
            settings.store(out, null);
        }
        String[] format = {"format", "--ignore-formatted", "-t", "AAAAAAAAAAAAAAAAAAAAAA", "-c", file.toString()};
        StorageTool.execute(format, new PrintStream(OutputStream.nullOutputStream()));
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        server.startup();
        System.out.println(talk("127.0.0.1:" + broker) + " records");
        server.shutdown();
        System.exit(0);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Properties settings(int controller, int broker, Path logs) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
        settings.put("listeners", "PLAINTEXT://127.0.0.1:" + broker + ",CONTROLLER://127.0.0.1:" + controller);
        settings.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + broker);
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("log.dirs", logs.toString());
        settings.put("offsets.topic.replication.factor", "1");
        return settings;
    }

    private static int talk(String address) throws Exception {
        Map<String, Object> common = new HashMap<>(Map.of("bootstrap.servers", address));
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(common, new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < 100; i++) {
                producer.send(new ProducerRecord<>("topic", "key" + i, "value" + i));
            }
        }
        common.put("auto.offset.reset", "earliest");
        int received = 0;
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(common, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition("topic", 0)));
            while (received < 100) {
                received += consumer.poll(Duration.ofMillis(500)).count();
            }
        }
        return received;
    }
}
