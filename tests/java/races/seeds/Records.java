package seeds;

/** What a record does as an object, its components do. */
public class Records {
    private static int inText; // race
    private static int inHash; // race
    private static int inEquals; // race
    private static int ofOther; // race
    private static int ofNone;

    static class Part {
        @Override
        public String toString() {
            return "part " + inText++;
        }

        @Override
        public int hashCode() {
            return inHash++;
        }

        @Override
        public boolean equals(Object other) {
            inEquals++;
            return other instanceof Part && ((Part) other).isSame();
        }

        boolean isSame() {
            return ofOther++ == 0;
        }
    }

    static class Unused {
        @Override
        public String toString() {
            return "unused " + ofNone++;
        }
    }

    record Whole(Part part, int number, String name, int[] numbers) {}

    record Other(Unused unused) {}

    public static void main(String[] arguments) {
        Whole first = new Whole(new Part(), 1, "first", new int[1]);
        Whole second = new Whole(new Part(), 1, "first", new int[1]);
        Other other = new Other(new Unused());
        Part alone = new Part();
        alone.hashCode();
        alone.isSame();
        other.unused().toString();
        other.hashCode();
        new Thread(() -> {
            first.toString();
            first.hashCode();
            first.equals(second);
        }).start();
        second.toString();
        second.hashCode();
        second.equals(first);
    }
}
