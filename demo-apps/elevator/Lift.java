package elevator;

/** A lift: sweeps over the floors and stops where somebody called. */
final class Lift implements Runnable {
    private final Building building;
    private final int id;
    private int stops;
    private int emptyStops;

    Lift(Building building, int id) {
        this.building = building;
        this.id = id;
    }

    @Override
    public void run() {
        boolean last;
        do {
            // Asked before the sweep, so that the last sweep sees the last call.
            last = building.havePassengersLeft();
            sweep();
        } while (!last);
    }

    int stops() {
        return stops;
    }

    int emptyStops() {
        return emptyStops;
    }

    private void sweep() {
        for (int i = 0; i < building.size(); i++) {
            serve(building.floor(i));
        }
    }

    /**
     * Not atomic, though no access races: between the two locked sections another lift can answer the call, or a
     * passenger can repeat it and is then forgotten.
     */
    // atomicity: Lift.serve
    void serve(Floor floor) {
        if (!floor.isCalled()) {
            return;
        }
        if (floor.answer(id)) {
            stops++;
        } else {
            emptyStops++;
        }
    }
}
