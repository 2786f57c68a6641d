package fieldgrid;

/**
 * Fields of every type, of one object, of a class and in arrays, all under one kind of guard. The suffix tells what is
 * expected of a field (of its elements, if it holds an array): Ok follows the discipline, Bad breaks it. Methods that
 * only read combine the values without short cuts, so that each field is read each time.
 */
interface Grid {
    /** Reads and writes every field once; the threads call it on the same object. */
    void round();

    /** What the guarded int counters add up to: three for each round; 0 if no guard counts exactly. */
    default int total() {
        return 0;
    }
}
