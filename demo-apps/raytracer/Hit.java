package raytracer;

/** The nearest surface that a ray met. */
final class Hit {
    private final Vec point = new Vec();
    private final Vec normal = new Vec();
    private Sphere sphere;
    private double distance;

    void clear() {
        sphere = null;
        distance = Double.POSITIVE_INFINITY;
    }

    void offer(Sphere candidate, double candidateDistance) {
        if (candidateDistance < distance) {
            sphere = candidate;
            distance = candidateDistance;
        }
    }

    boolean isMiss() {
        return sphere == null;
    }

    void locate(Ray ray) {
        point.set(ray.origin()).add(distance, ray.direction());
        normal.set(point).add(-1, sphere.centre()).normalize();
    }

    Sphere sphere() {
        return sphere;
    }

    Vec point() {
        return point;
    }

    Vec normal() {
        return normal;
    }
}
