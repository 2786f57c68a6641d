import java.util.concurrent.CountDownLatch;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerContext;
import org.quartz.TriggerBuilder;
import org.quartz.impl.DirectSchedulerFactory;

/** Twenty jobs of a scheduler in memory with four threads. */
public final class Jobs {
    /** Says that it ran. */
    public static final class Ran implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            try {
                SchedulerContext shared = context.getScheduler().getContext();
                ((CountDownLatch) shared.get("latch")).countDown();
            } catch (org.quartz.SchedulerException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        DirectSchedulerFactory factory = DirectSchedulerFactory.getInstance();
        factory.createVolatileScheduler(4);
        Scheduler scheduler = factory.getScheduler();
        CountDownLatch latch = new CountDownLatch(20);
        scheduler.getContext().put("latch", latch);
        scheduler.start();
        for (int i = 0; i < 20; i++) {
            scheduler.scheduleJob(JobBuilder.newJob(Ran.class).withIdentity("job" + i).build(), TriggerBuilder.newTrigger().startNow().build());
        }
        latch.await();
        scheduler.shutdown(true);
        System.out.println("all ran");
    }
}
