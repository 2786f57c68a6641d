package seeds;

/** A class initializer changes another class's variables in whichever thread comes first. */
public class Initialized {
    static int elsewhere; // missed: class initializers are run by no thread of the search

    static final class Late {
        static int own;

        static {
            elsewhere++;
            own = 1;
        }
    }

    public static void main(String[] args) {
        new Thread(() -> System.out.println(Late.own)).start();
        elsewhere++;
    }
}
