package raytracer;

/** A half-line; the direction has length 1. */
final class Ray {
    private final Vec origin = new Vec();
    private final Vec direction = new Vec();

    Vec origin() {
        return origin;
    }

    Vec direction() {
        return direction;
    }
}
