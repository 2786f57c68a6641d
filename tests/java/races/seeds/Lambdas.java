package seeds;

import java.util.Comparator;
import java.util.function.Supplier;

/** Lambdas have the methods of `Object`, which do not run their bodies. */
public class Lambdas {
    private int hashed;
    private int shown;
    private int joined;
    private int compared;
    private int captured;
    private int referred;
    private int coded;
    private int repeated; // race
    private int equal; // race

    interface Task {
        void work();

        default void again() {
            work();
        }

        default int code() {
            return hashCode();
        }
    }

    interface Same {
        boolean equals(Object first, Object second);
    }

    private void refer() {
        referred++;
    }

    public static void main(String[] args) {
        Lambdas lambdas = new Lambdas();
        Runnable hash = () -> lambdas.hashed++;
        new Thread(hash).start();
        hash.hashCode();
        Runnable show = () -> lambdas.shown++;
        new Thread(show).start();
        show.toString();
        Runnable join = () -> lambdas.joined++;
        new Thread(join).start();
        System.out.println("" + join);
        Comparator<String> compare = (a, b) -> lambdas.compared++;
        new Thread(() -> compare.compare("", "")).start();
        compare.equals(compare);
        Supplier<Object> capture = () -> lambdas.captured + args.length + lambdas.captured++;
        new Thread(capture::get).start();
        capture.equals(capture);
        capture.hashCode();
        Runnable refer = lambdas::refer;
        new Thread(refer).start();
        refer.hashCode();
        System.out.println(refer);
        Task code = () -> lambdas.coded++;
        new Thread(code::again).start();
        code.code();
        Task again = () -> lambdas.repeated++;
        new Thread(again::work).start();
        again.again();
        Same same = (a, b) -> lambdas.equal++ > 0;
        new Thread(() -> same.equals("", "")).start();
        same.equals("", "");
        same.equals(same);
    }
}
