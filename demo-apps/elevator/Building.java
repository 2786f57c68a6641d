package elevator;

/** The floors, and whether passengers may still press buttons. */
final class Building {
    private final Floor[] floors;
    private boolean passengersLeft;

    Building(int size) {
        floors = new Floor[size];
        for (int i = 0; i < size; i++) {
            floors[i] = new Floor();
        }
    }

    int size() {
        return floors.length;
    }

    Floor floor(int number) {
        return floors[number];
    }

    synchronized void passengersLeave() {
        passengersLeft = true;
    }

    synchronized boolean havePassengersLeft() {
        return passengersLeft;
    }
}
