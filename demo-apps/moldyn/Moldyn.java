package moldyn;

import java.util.Locale;
import java.util.concurrent.CyclicBarrier;

/**
 * Molecular dynamics of Lennard-Jones particles in a periodic box. Barriers separate the phases: no race on the
 * particles or the force tables, but no lock either. The count of interactions is a race.
 *
 * <p>Arguments: particles along an edge of the cube, steps, threads.
 */
public final class Moldyn {
    private Moldyn() {}

    public static void main(String[] args) throws InterruptedException {
        int edge = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 10;
        int threads = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        Simulation simulation = new Simulation(edge, threads);
        Worker[] workers = new Worker[threads];
        CyclicBarrier barrier = new CyclicBarrier(threads);
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker(simulation, barrier, i, threads, steps);
        }
        run(workers);
        report(simulation, workers);
    }

    private static void run(Worker[] workers) throws InterruptedException {
        Thread[] threads = new Thread[workers.length];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(workers[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(Simulation simulation, Worker[] workers) {
        double potential = 0;
        double kinetic = 0;
        for (Worker worker : workers) {
            potential += worker.potential();
            kinetic += worker.kinetic();
        }
        System.out.println(String.format(Locale.ROOT, "energy: %.6f, of that kinetic: %.6f",
            potential + kinetic, kinetic));
        System.out.println("racy interactions: " + simulation.interactions());
    }
}
