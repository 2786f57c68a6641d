import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Ten actors count for a collector. */
public final class Actors {
    private static final int WORKERS = 10;
    private static final int MESSAGES = 200;

    interface Message {}

    record Work(int number, ActorRef<Message> to) implements Message {}

    record Done(int number) implements Message {}

    private static long sum;

    static Behavior<Message> worker() {
        return Behaviors.receive(Message.class)
                .onMessage(Work.class, work -> {
                    work.to.tell(new Done(2 * work.number));
                    return Behaviors.same();
                })
                .build();
    }

    static Behavior<Message> collector(CountDownLatch over) {
        return Behaviors.setup(
                context -> {
                    for (int i = 0; i < WORKERS; i++) {
                        ActorRef<Message> worker = context.spawn(worker(), "worker" + i);
                        for (int number = 0; number < MESSAGES; number++) {
                            worker.tell(new Work(number, context.getSelf()));
                        }
                    }
                    int[] left = {WORKERS * MESSAGES};
                    return Behaviors.receive(Message.class)
                            .onMessage(Done.class, done -> {
                                sum += done.number;
                                if (--left[0] == 0) {
                                    over.countDown();
                                }
                                return Behaviors.same();
                            })
                            .build();
                });
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        ActorSystem<Message> system = ActorSystem.create(collector(over), "sweep");
        over.await();
        System.out.println(sum);
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().get();
    }
}
