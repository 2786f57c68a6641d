package seeds;

/** One thread, which prints objects and exceptions of its own: no thread of the JVM or the JDK prints these. */
public class Prints {
    private int shown;
    private int failed;
    private int told;

    @Override
    public String toString() {
        shown++;
        return "shown";
    }

    class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            failed++;
            return "failed " + told++;
        }
    }

    public static void main(String[] args) {
        Prints prints = new Prints();
        System.out.println(prints);
        System.err.println((Object) args + "" + prints);
        try {
            throw prints.new Failure();
        } catch (Failure failure) {
            failure.printStackTrace();
            System.out.println(String.valueOf(failure));
        }
    }
}
