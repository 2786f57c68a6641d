package raytracer;

/** A coloured, partly reflecting ball. */
final class Sphere {
    private final Vec centre;
    private final Vec colour;
    private final double radius;
    private final double mirror;

    Sphere(Vec centre, double radius, Vec colour, double mirror) {
        this.centre = centre;
        this.radius = radius;
        this.colour = colour;
        this.mirror = mirror;
    }

    Vec centre() {
        return centre;
    }

    Vec colour() {
        return colour;
    }

    /** The part of the light that is reflected, between 0 and 1. */
    double mirror() {
        return mirror;
    }

    /** Distance along the ray to the surface, or infinity. The scratch vector belongs to the caller. */
    double distance(Ray ray, Vec scratch) {
        scratch.set(centre).add(-1, ray.origin());
        double along = scratch.dot(ray.direction());
        double inside = radius * radius - scratch.dot(scratch) + along * along;
        if (inside < 0) {
            return Double.POSITIVE_INFINITY;
        }
        double distance = along - Math.sqrt(inside);
        return distance > Scene.NEAR ? distance : Double.POSITIVE_INFINITY;
    }
}
