package raytracer;

/** A vector, changed in place: tracers keep a few of them instead of making millions. */
final class Vec {
    private double x;
    private double y;
    private double z;

    Vec set(double newX, double newY, double newZ) {
        x = newX;
        y = newY;
        z = newZ;
        return this;
    }

    Vec set(Vec other) {
        return set(other.x, other.y, other.z);
    }

    Vec add(double factor, Vec other) {
        return set(x + factor * other.x, y + factor * other.y, z + factor * other.z);
    }

    Vec scale(double factor) {
        return set(factor * x, factor * y, factor * z);
    }

    Vec normalize() {
        return scale(1 / Math.sqrt(dot(this)));
    }

    double dot(Vec other) {
        return x * other.x + y * other.y + z * other.z;
    }

    /** The vector as a colour: red, green and blue between 0 and 1, in eight bits each. */
    int toRgb() {
        return channel(x) << 16 | channel(y) << 8 | channel(z);
    }

    private static int channel(double value) {
        return (int) (255 * Math.min(1, Math.max(0, value)));
    }
}
