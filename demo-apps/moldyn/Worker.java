package moldyn;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Moves every n-th particle, in step with the other workers (velocity Verlet). */
final class Worker implements Runnable {
    private static final double TIME_STEP = 0.002;
    private static final double CUTOFF_SQUARE = 2.5 * 2.5;

    private final Simulation simulation;
    private final CyclicBarrier barrier;
    private final Forces forces;
    private final int first;
    private final int stride;
    private final int steps;
    private int found;
    private double potential;
    private double kinetic;

    Worker(Simulation simulation, CyclicBarrier barrier, int first, int stride, int steps) {
        this.simulation = simulation;
        this.barrier = barrier;
        this.first = first;
        this.stride = stride;
        this.steps = steps;
        forces = simulation.forces(first);
    }

    @Override
    public void run() {
        for (int i = first; i < simulation.size(); i += stride) {
            simulation.start(i);
        }
        updateForces();
        for (int step = 0; step < steps; step++) {
            drift();
            updateForces();
            kick();
        }
    }

    /** Of this worker's pairs in the last step; read by main after the thread has ended. */
    double potential() {
        return potential;
    }

    /** Of this worker's particles after the last step; read by main after the thread has ended. */
    double kinetic() {
        return kinetic;
    }

    private void drift() {
        for (int i = first; i < simulation.size(); i += stride) {
            Particle particle = simulation.particle(i);
            particle.kick(TIME_STEP / 2);
            particle.drift(TIME_STEP, simulation.box());
        }
    }

    /** The first barrier ends the moves, the second one the pairs; then every worker adds up its own particles. */
    private void updateForces() {
        await();
        forces.clear();
        potential = 0;
        found = 0;
        for (int i = first; i < simulation.size(); i += stride) {
            for (int j = i + 1; j < simulation.size(); j++) {
                interact(i, j);
            }
        }
        simulation.countInteractions(found);
        await();
        for (int i = first; i < simulation.size(); i += stride) {
            simulation.reduce(i);
        }
    }

    private void kick() {
        kinetic = 0;
        for (int i = first; i < simulation.size(); i += stride) {
            Particle particle = simulation.particle(i);
            particle.kick(TIME_STEP / 2);
            kinetic += particle.kineticEnergy();
        }
    }

    /** The Lennard-Jones force of one pair, in reduced units. */
    private void interact(int i, int j) {
        Particle one = simulation.particle(i);
        Particle other = simulation.particle(j);
        double dx = simulation.box().nearest(one.x() - other.x());
        double dy = simulation.box().nearest(one.y() - other.y());
        double dz = simulation.box().nearest(one.z() - other.z());
        double square = dx * dx + dy * dy + dz * dz;
        if (square < CUTOFF_SQUARE) {
            double inverse = 1 / square;
            double sixth = inverse * inverse * inverse;
            double pull = 24 * inverse * sixth * (2 * sixth - 1);
            forces.add(i, dx * pull, dy * pull, dz * pull);
            forces.add(j, -dx * pull, -dy * pull, -dz * pull);
            potential += 4 * sixth * (sixth - 1);
            found++;
        }
    }

    private void await() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("nobody interrupts a worker", e);
        }
    }
}
