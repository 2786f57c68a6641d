package raytracer;

/**
 * Renders a scene of balls, its rows dealt out to threads. Each worker updates the common checksum under a lock, but
 * under its own one.
 *
 * <p>Arguments: edge of the picture, balls along an edge of the scene, threads.
 */
public final class RayTracer {
    private RayTracer() {}

    public static void main(String[] args) throws InterruptedException {
        int size = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        int edge = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int threads = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Picture picture = new Picture(size);
        Checksum checksum = new Checksum();
        long rays = render(new Scene(edge), picture, checksum, threads);
        System.out.println("picture: " + Long.toHexString(picture.hash()) + ", rays: " + rays);
        // This read is also what lets a lock set notice the wrong locks on every schedule: with two workers that run
        // one after the other, the set would still hold the second one's lock.
        System.out.println("racy checksum: " + checksum.value());
    }

    private static long render(Scene scene, Picture picture, Checksum checksum, int nWorkers)
            throws InterruptedException {
        RowWorker[] workers = new RowWorker[nWorkers];
        Thread[] threads = new Thread[nWorkers];
        for (int i = 0; i < nWorkers; i++) {
            workers[i] = new RowWorker(scene, picture, checksum, i, nWorkers);
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        long rays = 0;
        for (int i = 0; i < nWorkers; i++) {
            threads[i].join();
            rays += workers[i].rays();
        }
        return rays;
    }
}
