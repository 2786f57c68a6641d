package moldyn;

/** The forces that one worker found, on all particles. It writes them alone; after a barrier all workers add up. */
final class Forces {
    // ordered: Forces.x[] -- written by one worker, read by the others after the barrier
    private final double[] x;
    // ordered: Forces.y[] -- written by one worker, read by the others after the barrier
    private final double[] y;
    // ordered: Forces.z[] -- written by one worker, read by the others after the barrier
    private final double[] z;

    Forces(int particles) {
        x = new double[particles];
        y = new double[particles];
        z = new double[particles];
    }

    void clear() {
        for (int i = 0; i < x.length; i++) {
            x[i] = 0;
            y[i] = 0;
            z[i] = 0;
        }
    }

    void add(int particle, double fx, double fy, double fz) {
        x[particle] += fx;
        y[particle] += fy;
        z[particle] += fz;
    }

    double x(int particle) {
        return x[particle];
    }

    double y(int particle) {
        return y[particle];
    }

    double z(int particle) {
        return z[particle];
    }
}
