package philo;

/** Eats a fixed number of meals. Taking the lower-numbered fork first is what prevents a deadlock. */
final class Philosopher implements Runnable {
    private final Table table;
    private final Fork lower;
    private final Fork higher;
    private final int meals;
    private long thoughts;

    Philosopher(Table table, Fork lower, Fork higher, int meals) {
        this.table = table;
        this.lower = lower;
        this.higher = higher;
        this.meals = meals;
    }

    @Override
    public void run() {
        for (int meal = 0; meal < meals; meal++) {
            think(meal);
            eat();
        }
    }

    /** Read by main after the thread has ended. */
    long thoughts() {
        return thoughts;
    }

    private void think(int meal) {
        thoughts += meal % 7;
    }

    private void eat() {
        synchronized (lower) {
            synchronized (higher) {
                lower.use();
                higher.use();
            }
        }
        table.mealEaten();
    }
}
