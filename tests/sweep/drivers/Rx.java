import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** Numbers through schedulers. */
public final class Rx {
    public static void main(String[] args) {
        long sum =
                Flowable.range(1, 5000)
                        .parallel(4)
                        .runOn(Schedulers.computation())
                        .map(i -> (long) i * i)
                        .sequential()
                        .observeOn(Schedulers.io())
                        .reduce(0L, Long::sum)
                        .blockingGet();
        System.out.println(sum);
        System.out.println(
                Flowable.range(1, 100)
                        .flatMap(i -> Flowable.just(i).subscribeOn(Schedulers.io()).map(j -> j * 2))
                        .reduce(0, Integer::sum)
                        .blockingGet());
        Schedulers.shutdown();
    }
}
