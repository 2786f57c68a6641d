package raytracer;

/** Balls on a cubic lattice and one lamp: built by main, only read by the workers. */
final class Scene {
    /** Anything nearer to the origin of a ray is the surface that the ray starts from. */
    static final double NEAR = 1e-6;

    private final Sphere[] spheres;
    private final Vec light = new Vec().set(-1, 2, -3).normalize();

    Scene(int edge) {
        spheres = new Sphere[edge * edge * edge];
        for (int i = 0; i < spheres.length; i++) {
            spheres[i] = ball(i % edge, i / edge % edge, i / edge / edge, edge);
        }
    }

    /** The direction towards the lamp. */
    Vec light() {
        return light;
    }

    void find(Ray ray, Hit hit, Vec scratch) {
        hit.clear();
        for (int i = 0; i < spheres.length; i++) {
            hit.offer(spheres[i], spheres[i].distance(ray, scratch));
        }
    }

    boolean isDark(Ray towardsLight, Vec scratch) {
        for (int i = 0; i < spheres.length; i++) {
            if (spheres[i].distance(towardsLight, scratch) < Double.POSITIVE_INFINITY) {
                return true;
            }
        }
        return false;
    }

    private static Sphere ball(int column, int row, int layer, int edge) {
        double middle = (edge - 1) / 2.0;
        Vec centre = new Vec().set(column - middle, row - middle, layer + 3);
        Vec colour = new Vec().set(1 - 0.6 * column / edge, 0.4 + 0.6 * row / edge, 0.4 + 0.6 * layer / edge);
        return new Sphere(centre, 0.42, colour, 0.3);
    }
}
