package schedule;

/** A small program about one construct; comments in its source say which variables race. */
public interface Program {
    void run() throws Exception;

    /** Runs programs one after the other, or only those that are named. */
    static void all(String[] names, Program... programs) throws Exception {
        for (Program program : programs) {
            if (names.length == 0 || java.util.Arrays.asList(names).contains(program.getClass().getSimpleName())) {
                program.run();
            }
        }
        System.out.println("done");
    }
}
