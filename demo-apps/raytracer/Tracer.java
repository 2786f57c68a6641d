package raytracer;

/** Follows rays through the scene. Each worker makes its own, so its scratch objects never leave the thread. */
final class Tracer {
    private static final int MAX_DEPTH = 4;
    private static final double AMBIENT = 0.2;

    private final Scene scene;
    private final Ray[] rays = new Ray[MAX_DEPTH + 1];
    private final Ray towardsLight = new Ray();
    private final Hit hit = new Hit();
    private final Vec scratch = new Vec();
    private final Vec colour = new Vec();
    private long rayCount;

    Tracer(Scene scene) {
        this.scene = scene;
        for (int i = 0; i < rays.length; i++) {
            rays[i] = new Ray();
        }
    }

    /** The colour of one point of a picture whose edges are at -1 and 1. */
    int pixel(double x, double y) {
        rays[0].origin().set(0, 0, 0);
        rays[0].direction().set(x, y, 1.5).normalize();
        colour.set(0, 0, 0);
        trace(0, 1);
        return colour.toRgb();
    }

    long rayCount() {
        return rayCount;
    }

    /** Adds what the ray of this depth sees, weighted, to the colour. */
    private void trace(int depth, double weight) {
        Ray ray = rays[depth];
        rayCount++;
        scene.find(ray, hit, scratch);
        if (hit.isMiss()) {
            return;
        }
        hit.locate(ray);
        double mirror = hit.sphere().mirror();
        colour.add(weight * (1 - mirror) * brightness(), hit.sphere().colour());
        if (depth < MAX_DEPTH) {
            reflect(ray, rays[depth + 1]);
            trace(depth + 1, weight * mirror);
        }
    }

    private double brightness() {
        double slope = hit.normal().dot(scene.light());
        if (slope <= 0) {
            return AMBIENT;
        }
        towardsLight.origin().set(hit.point());
        towardsLight.direction().set(scene.light());
        rayCount++;
        return scene.isDark(towardsLight, scratch) ? AMBIENT : AMBIENT + (1 - AMBIENT) * slope;
    }

    private void reflect(Ray ray, Ray reflected) {
        double into = ray.direction().dot(hit.normal());
        reflected.origin().set(hit.point());
        reflected.direction().set(ray.direction()).add(-2 * into, hit.normal());
    }
}
