package elevator;

/**
 * Lifts answer calls; every floor has its own lock and every access holds it, so nothing races. A lift looks at the
 * button in one locked section and switches it off in a second one: the claim is not atomic (see {@link Lift#serve}).
 *
 * <p>Arguments: lifts, calls.
 */
public final class Elevator {
    private Elevator() {}

    public static void main(String[] args) throws InterruptedException {
        int nLifts = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int calls = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
        Building building = new Building(8);
        Lift[] lifts = new Lift[nLifts];
        for (int i = 0; i < nLifts; i++) {
            lifts[i] = new Lift(building, i);
        }
        ride(lifts, new Passengers(building, calls));
        report(building, lifts);
    }

    private static void ride(Lift[] lifts, Passengers passengers) throws InterruptedException {
        Thread[] threads = new Thread[lifts.length + 1];
        for (int i = 0; i < lifts.length; i++) {
            threads[i] = new Thread(lifts[i]);
        }
        threads[lifts.length] = new Thread(passengers);
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void report(Building building, Lift[] lifts) {
        int waiting = 0;
        for (int i = 0; i < building.size(); i++) {
            waiting += building.floor(i).isCalled() ? 1 : 0;
        }
        System.out.println("floors still calling: " + waiting);
        for (Lift lift : lifts) {
            System.out.println("schedule-dependent stops: " + lift.stops() + ", empty: " + lift.emptyStops());
        }
        System.out.println("schedule-dependent last lift on floor 0: " + building.floor(0).lastLift());
    }
}
