import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Numbers through schedulers. */
public final class Flows {
    public static void main(String[] args) {
        System.out.println(
                Flux.range(1, 5000)
                        .parallel(4)
                        .runOn(Schedulers.parallel())
                        .map(i -> (long) i * i)
                        .sequential()
                        .publishOn(Schedulers.boundedElastic())
                        .reduce(0L, Long::sum)
                        .block());
        System.out.println(
                Flux.range(1, 100)
                        .flatMap(i -> Mono.fromCallable(() -> 2 * i).subscribeOn(Schedulers.boundedElastic()))
                        .reduce(0, Integer::sum)
                        .block());
        Schedulers.shutdownNow();
    }
}
