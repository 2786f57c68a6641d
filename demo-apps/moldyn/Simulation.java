package moldyn;

/** What the workers share: the particles, one force table for each worker, and a count of interactions. */
final class Simulation {
    private static final double SPACING = 1.1;

    private final int edge;
    private final Box box = new Box();
    private final Particle[] particles;
    private final Forces[] forces;
    // race: Simulation.interactions
    private long interactions;

    /** A cube of edge by edge by edge particles. */
    Simulation(int edge, int workers) {
        this.edge = edge;
        box.setSide(edge * SPACING);
        particles = new Particle[edge * edge * edge];
        for (int i = 0; i < particles.length; i++) {
            particles[i] = new Particle();
        }
        forces = new Forces[workers];
        for (int i = 0; i < workers; i++) {
            forces[i] = new Forces(particles.length);
        }
    }

    int size() {
        return particles.length;
    }

    Box box() {
        return box;
    }

    Particle particle(int number) {
        return particles[number];
    }

    Forces forces(int worker) {
        return forces[worker];
    }

    /** Puts a particle on its lattice point, with a small velocity that depends on its number. */
    void start(int number) {
        Particle particle = particles[number];
        particle.place(SPACING * (number % edge), SPACING * (number / edge % edge), SPACING * (number / edge / edge));
        particle.launch(spread(number), spread(number + 1), spread(number + 2));
    }

    /** Adds up, in the order of the workers, what they found for one particle. */
    void reduce(int number) {
        double fx = 0;
        double fy = 0;
        double fz = 0;
        for (int worker = 0; worker < forces.length; worker++) {
            fx += forces[worker].x(number);
            fy += forces[worker].y(number);
            fz += forces[worker].z(number);
        }
        particles[number].setForce(fx, fy, fz);
    }

    /** Bug: all workers add to the count without a lock. */
    void countInteractions(int found) {
        interactions += found;
    }

    long interactions() {
        return interactions;
    }

    /** A number between -1 and 1. */
    private static double spread(int number) {
        return (number * 7919 % 2003 - 1001) / 1001.0;
    }
}
