package moldyn;

/** The periodic box: what leaves on one side comes in on the other. */
final class Box {
    private double side;

    void setSide(double newSide) {
        side = newSide;
    }

    double wrap(double position) {
        if (position < 0) {
            return position + side;
        }
        return position >= side ? position - side : position;
    }

    /** The difference of two coordinates to the nearest image. */
    double nearest(double difference) {
        if (difference > side / 2) {
            return difference - side;
        }
        return difference < -side / 2 ? difference + side : difference;
    }
}
