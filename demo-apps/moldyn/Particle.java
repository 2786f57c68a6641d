package moldyn;

/**
 * A particle of unit mass. One worker moves it, all workers read its position. Nothing is written when it is made:
 * the worker that moves it also places it, so velocities and forces stay with that thread.
 */
final class Particle {
    // ordered: Particle.x -- moved by its worker, read by all after the barrier
    private double x;
    // ordered: Particle.y -- moved by its worker, read by all after the barrier
    private double y;
    // ordered: Particle.z -- moved by its worker, read by all after the barrier
    private double z;
    private double vx;
    private double vy;
    private double vz;
    private double fx;
    private double fy;
    private double fz;

    void place(double newX, double newY, double newZ) {
        x = newX;
        y = newY;
        z = newZ;
    }

    void launch(double newVx, double newVy, double newVz) {
        vx = newVx;
        vy = newVy;
        vz = newVz;
    }

    double x() {
        return x;
    }

    double y() {
        return y;
    }

    double z() {
        return z;
    }

    void setForce(double newFx, double newFy, double newFz) {
        fx = newFx;
        fy = newFy;
        fz = newFz;
    }

    void kick(double time) {
        vx += fx * time;
        vy += fy * time;
        vz += fz * time;
    }

    void drift(double time, Box box) {
        x = box.wrap(x + vx * time);
        y = box.wrap(y + vy * time);
        z = box.wrap(z + vz * time);
    }

    double kineticEnergy() {
        return (vx * vx + vy * vy + vz * vz) / 2;
    }
}
