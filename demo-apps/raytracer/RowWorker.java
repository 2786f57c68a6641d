package raytracer;

/** Renders every n-th row. */
final class RowWorker implements Runnable {
    private final Scene scene;
    private final Picture picture;
    private final Checksum checksum;
    private final int first;
    private final int stride;
    private long rays;

    RowWorker(Scene scene, Picture picture, Checksum checksum, int first, int stride) {
        this.scene = scene;
        this.picture = picture;
        this.checksum = checksum;
        this.first = first;
        this.stride = stride;
    }

    @Override
    public void run() {
        Tracer tracer = new Tracer(scene);
        for (int row = first; row < picture.size(); row += stride) {
            render(tracer, row);
        }
        rays = tracer.rayCount();
    }

    /** Read by main after the thread has ended. */
    long rays() {
        return rays;
    }

    private void render(Tracer tracer, int row) {
        double scale = 2.0 / picture.size();
        long sum = 0;
        for (int column = 0; column < picture.size(); column++) {
            int rgb = tracer.pixel(column * scale - 1, 1 - row * scale);
            picture.set(row, column, rgb);
            sum += rgb;
        }
        addToChecksum(sum);
    }

    /** Bug: synchronized on this worker, so the workers do not exclude each other; it should be on the checksum. */
    private synchronized void addToChecksum(long sum) {
        checksum.add(sum);
    }
}
