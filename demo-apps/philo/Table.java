package philo;

/** The round table: the forks and the number of meals eaten. */
final class Table {
    private final Fork[] forks;
    private int meals;

    Table(int seats) {
        forks = new Fork[seats];
        for (int i = 0; i < seats; i++) {
            forks[i] = new Fork();
        }
    }

    Philosopher seat(int place, int nMeals) {
        int next = (place + 1) % forks.length;
        return new Philosopher(this, forks[Math.min(place, next)], forks[Math.max(place, next)], nMeals);
    }

    synchronized void mealEaten() {
        meals++;
    }

    synchronized int meals() {
        return meals;
    }

    int forkUses() {
        int uses = 0;
        for (Fork fork : forks) {
            uses += fork.uses();
        }
        return uses;
    }
}
