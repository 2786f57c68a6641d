import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Event loops that talk over the event bus: four verticles answer four hundred questions. */
public final class Verticles {
    /** Answers with the length of the question, and counts in a field of its own. */
    public static final class Answering extends AbstractVerticle {
        private int answered;

        @Override
        public void start(Promise<Void> started) {
            vertx.eventBus().<String>consumer("ask", question -> {
                answered++;
                question.reply(question.body().length() + answered - answered);
            }).completionHandler(started);
        }
    }

    public static void main(String[] args) throws Exception {
        Vertx vertx = Vertx.vertx();
        AtomicInteger sum = new AtomicInteger();
        CountDownLatch answers = new CountDownLatch(400);
        vertx.deployVerticle(Answering.class, new DeploymentOptions().setInstances(4)).onSuccess(deployed -> {
            for (int i = 0; i < 400; i++) {
                vertx.eventBus().<Integer>request("ask", "x".repeat(i % 10)).onSuccess(answer -> {
                    sum.addAndGet(answer.body());
                    answers.countDown();
                });
            }
        });
        answers.await();
        vertx.close().toCompletionStage().toCompletableFuture().get();
        System.out.println(sum);
    }
}
