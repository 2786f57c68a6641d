package filled;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Objects that are made and filled before others may have them; and some that are out by then. */
public class Filled {
    static final int MANY = 3;
    static final Map<String, Review> REVIEWS = new ConcurrentHashMap<>();
    static final Map<String, Leaky> LEAKY = new ConcurrentHashMap<>();
    static final Holder HOLDER = new Holder();
    static final Review[] COPIED = new Review[1]; // race
    static volatile List<String> names = new ArrayList<>();
    static volatile List<String> later = new ArrayList<>();
    static int seen;

    static class Review {
        String filledText;
        int filledCount;
        int filledInLoop;
        int filledByAnother;
        int changedLater; // race
        int setByBoth; // race
        int inRegister; // race
        int ofRound; // race
        int afterStore; // race
        int afterStart; // race
        int byHelper; // race
        int onSomeWay; // race
        int byArrayCopy; // race
        int byLambda; // race
        int byOptional; // race
        int byConstructor; // race
        int byReflection; // race
        int byResult; // race

        void count(int count) {
            filledCount = count;
            another();
        }

        private void another() {
            filledByAnother = filledCount;
        }

        void set(int value) {
            setByBoth = value;
        }

        Review itself() {
            return this;
        }

        void register() {
            REVIEWS.put("registered", this);
            inRegister = 1;
        }
    }

    /** Others have it before its constructor has come back. */
    static class Leaky {
        int afterLeak; // race

        Leaky() {
            LEAKY.put("leaky", this);
        }
    }

    static class Holder {
        volatile Review review = new Review();
    }

    /** Keeps what it is given for everybody. */
    static class Keeper {
        Keeper(Review review) {
            REVIEWS.put("kept", review);
        }
    }

    static void byArrayCopy() {
        Review review = new Review();
        Review[] one = {review};
        System.arraycopy(one, 0, COPIED, 0, 1);
        review.byArrayCopy++;
    }

    static void byLambda() {
        Review review = new Review();
        Runnable keeps = () -> REVIEWS.put("lambda", review);
        keeps.run();
        review.byLambda++;
    }

    static void byOptional() {
        Review review = new Review();
        Optional.of(review).ifPresent(it -> REVIEWS.put("optional", it));
        review.byOptional++;
    }

    static void byConstructor() {
        Review review = new Review();
        new Keeper(review);
        review.byConstructor++;
    }

    static void byReflection() {
        Review review = new Review();
        try {
            Holder.class.getDeclaredField("review").set(HOLDER, review);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        review.byReflection++;
    }

    static void byResult() {
        Review review = new Review();
        REVIEWS.put("result", review.itself());
        review.byResult++;
    }

    static void fill() {
        Review review = new Review();
        review.filledText = "text";
        review.count(MANY);
        REVIEWS.put("filled", review);
        review.changedLater++;
    }

    static void fillMany() {
        for (int i = 0; i < MANY; i++) {
            Review review = new Review();
            review.filledInLoop = i;
            REVIEWS.put("many", review);
        }
    }

    static void setBoth() {
        Review review = new Review();
        review.set(1);
        REVIEWS.put("both", review);
        REVIEWS.get("filled").set(2);
    }

    static void register() {
        Review review = new Review();
        review.register();
    }

    static void rounds() {
        Review before = null;
        for (int i = 0; i < MANY; i++) {
            Review now = new Review();
            if (before != null) {
                before.ofRound++;
            }
            REVIEWS.put("round", now);
            before = now;
        }
    }

    static void store(Holder holder) {
        Review review = new Review();
        holder.review = review;
        review.afterStore++;
    }

    static void start() {
        Review review = new Review();
        new Thread(() -> review.afterStart++).start();
        review.afterStart++;
    }

    static void help() {
        Review review = new Review();
        keep(review);
        review.byHelper++;
    }

    private static void keep(Review review) {
        HOLDER.review = review;
    }

    static void onSomeWay(boolean isKept) {
        Review review = new Review();
        if (isKept) {
            HOLDER.review = review;
        }
        review.onSomeWay++;
    }

    static void leak() {
        Leaky leaky = new Leaky();
        leaky.afterLeak++;
    }

    static void list() {
        List<String> list = new ArrayList<>();
        list.add("first");
        list.add("second");
        names = list;
    }

    static void listLater() {
        List<String> list = new ArrayList<>(); // race
        later = list;
        list.add("second");
    }

    static void read() {
        for (Review review : REVIEWS.values()) {
            seen += review.filledText.length() + review.filledCount + review.filledInLoop + review.filledByAnother;
            seen += review.byLambda + review.byOptional + review.byConstructor + review.byResult;
            seen += review.changedLater + review.setByBoth + review.inRegister + review.ofRound;
        }
        Review kept = HOLDER.review;
        seen += kept.afterStore + kept.byHelper + kept.onSomeWay + LEAKY.get("leaky").afterLeak;
        seen += kept.byReflection + COPIED[0].byArrayCopy;
        seen += names.size() + later.size();
    }

    static void run() {
        fill();
        fillMany();
        setBoth();
        register();
        rounds();
        store(HOLDER);
        start();
        help();
        onSomeWay(LEAKY.isEmpty());
        leak();
        byArrayCopy();
        byLambda();
        byOptional();
        byConstructor();
        byReflection();
        byResult();
        list();
        listLater();
    }

    public static void main(String[] arguments) {
        new Thread(Filled::run).start();
        new Thread(() -> {
            synchronized (HOLDER) {
                read();
            }
        }).start();
    }
}
