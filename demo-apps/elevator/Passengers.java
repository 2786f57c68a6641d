package elevator;

/** The thread that presses the buttons, in a fixed order. */
final class Passengers implements Runnable {
    private final Building building;
    private final int calls;

    Passengers(Building building, int calls) {
        this.building = building;
        this.calls = calls;
    }

    @Override
    public void run() {
        for (int call = 0; call < calls; call++) {
            building.floor(call * 3 % building.size()).press();
        }
        building.passengersLeave();
    }
}
