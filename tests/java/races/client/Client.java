package client;

/** What clients call of a class is known by whether they can name it, get one, or extend it. */
public class Client {
    public static final Held HELD = new Held();
    protected Kept within = new Kept();

    public static Api open() {
        return new Impl();
    }

    public static Given give() {
        return new Given();
    }

    public static Given[] giveSome() {
        return new Given[] {new Given()};
    }
}

/** Public types give it out: its methods are theirs. */
class Impl implements Api {
    private int asApi; // race
    private int guarded;

    public void hit() {
        asApi++;
    }

    public synchronized void both() {
        hit();
        inside();
    }

    private void inside() {
        guarded++;
    }
}

class Given {
    private int given; // race
    private int guarded;
    private int ofPackage;

    public void hit() {
        given++;
    }

    public synchronized void both() {
        hit();
        guarded++;
        ofPackage();
    }

    void ofPackage() {
        ofPackage++;
    }
}

class Held {
    private int held; // race

    public void hit() {
        held++;
    }

    public synchronized void both() {
        hit();
    }
}

class Kept {
    private int kept; // race

    public void hit() {
        kept++;
    }

    public synchronized void both() {
        hit();
    }
}

abstract class Base {
    private int inherited; // race
    private int guarded;

    public void hit() {
        inherited++;
    }

    public synchronized void both() {
        hit();
        guarded++;
    }
}

/** Nobody gets one: what it does is in the hands of who makes it. */
class Hidden {
    private int hidden;

    public void hit() {
        hidden++;
    }
}
