package handovers;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import schedule.Program;

/** What a constructor writes races, if a race hands the object over. */
final class ByField implements Program {
    static final class Item {
        int byField = 1; // race: Item.byField
    }

    private Item latest; // race: ByField.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.byField;
        });
    }
}

final class ByVolatileField implements Program {
    static final class Item {
        int byVolatileField = 1;
    }

    private volatile Item latest;

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.byVolatileField;
        });
    }
}

final class ByStaticField implements Program {
    static final class Item {
        int byStaticField = 1; // race: Item.byStaticField
    }

    private static Item latest; // race: ByStaticField.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.byStaticField;
        });
    }
}

/** The object is new when it is written, and then handed over. */
final class BeforeHandOver implements Program {
    static final class Item {
        int beforeHandOver; // race: Item.beforeHandOver
    }

    private Item latest; // race: BeforeHandOver.latest

    public void run() throws Exception {
        together(() -> {
            Item item = new Item();
            item.beforeHandOver = 1;
            latest = item;
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.beforeHandOver;
        });
    }
}

/** A method that constructors call writes it. */
final class ByHelper implements Program {
    static final class Item {
        int byHelper; // race: Item.byHelper

        Item() {
            init();
        }

        private void init() {
            byHelper = 1;
        }
    }

    private Item latest; // race: ByHelper.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.byHelper;
        });
    }
}

/** The constructor of a superclass writes it, and another type refers to it. */
final class BySuperclass implements Program {
    static class Item {
        int bySuperclass = 1; // race: Item.bySuperclass
    }

    static final class Special extends Item implements Runnable {
        public void run() {}
    }

    private Runnable latest; // race: BySuperclass.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Special();
            mark(this);
        }, () -> {
            until(this);
            int amount = ((Special) latest).bySuperclass;
        });
    }
}

final class ByObject implements Program {
    static final class Item {
        int byObject = 1; // race: Item.byObject
    }

    private Object latest; // race: ByObject.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = ((Item) latest).byObject;
        });
    }
}

/** All that the object leads to is handed over with it. */
final class Further implements Program {
    static final class Item {
        int further = 1; // race: Item.further
    }

    static final class Order {
        Item item = new Item(); // race: Order.item
    }

    private Order latest; // race: Further.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Order();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.item.further;
        });
    }
}

final class Elements implements Program {
    static final class Item {
        int ofElements = 1; // race: Item.ofElements
    }

    private final Item[] items = new Item[1]; // race: Elements.items[]

    public void run() throws Exception {
        together(() -> {
            items[0] = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = items[0].ofElements;
        });
    }
}

final class ElementsOfObjects implements Program {
    static final class Item {
        int ofObjects = 1; // race: Item.ofObjects
    }

    private final Object[] items = new Object[1]; // race: ElementsOfObjects.items[]

    public void run() throws Exception {
        together(() -> {
            items[0] = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = ((Item) items[0]).ofObjects;
        });
    }
}

final class OwnArray implements Program {
    static final class Item {
        int ofArray = 1; // race: Item.ofArray
    }

    private Item[] latest; // race: OwnArray.latest
    // missed: OwnArray.latest[] -- what a method stores in an array that it has just made

    public void run() throws Exception {
        together(() -> {
            latest = new Item[] {new Item()};
            mark(this);
        }, () -> {
            until(this);
            int amount = latest[0].ofArray;
        });
    }
}

final class Numbers implements Program {
    private long[] latest; // race: Numbers.latest
    // missed: Numbers.latest[] -- as of OwnArray

    public void run() throws Exception {
        together(() -> {
            latest = new long[] {1};
            mark(this);
        }, () -> {
            until(this);
            long amount = latest[0];
        });
    }
}

final class CopiedNumbers implements Program {
    private final short[] template = {1};
    private short[] latest; // race: CopiedNumbers.latest
    // missed: CopiedNumbers.latest[] -- as of OwnArray

    public void run() throws Exception {
        together(() -> {
            latest = Arrays.copyOf(template, 2);
            mark(this);
        }, () -> {
            until(this);
            short amount = latest[0];
        });
    }
}

/** A clone is written as it is made. */
final class Cloned implements Program {
    static final class Item implements Cloneable {
        int ofClone = 1; // race: Item.ofClone

        Item copy() {
            try {
                return (Item) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private final Item template = new Item();
    private Item latest; // race: Cloned.latest

    public void run() throws Exception {
        together(() -> {
            latest = template.copy();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.ofClone;
        });
    }
}

/** The list is handed over by a race, and what is in it with it. */
final class InList implements Program {
    static final class Item {
        int inList = 1; // race: Item.inList
    }

    private List<Item> latest; // race: InList.latest

    public void run() throws Exception {
        together(() -> {
            List<Item> list = new ArrayList<>();
            list.add(new Item());
            latest = list;
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.get(0).inList;
        });
    }
}

/** The list is known to both, but not what is in it. */
final class IntoList implements Program {
    static final class Item {
        int intoList = 1; // race: Item.intoList
    }

    private final List<Item> items = new ArrayList<>(); // race: IntoList.items

    public void run() throws Exception {
        together(() -> {
            items.add(new Item());
            mark(this);
        }, () -> {
            until(this);
            int amount = items.get(0).intoList;
        });
    }
}

final class IntoMap implements Program {
    static final class Item {
        int intoMap = 1; // race: Item.intoMap
    }

    private final Map<String, Item> items = new HashMap<>(); // race: IntoMap.items

    public void run() throws Exception {
        together(() -> {
            items.put("item", new Item());
            mark(this);
        }, () -> {
            until(this);
            int amount = items.get("item").intoMap;
        });
    }
}

/** A lambda has what it captures. */
final class Captured implements Program {
    static final class Item {
        int ofLambda = 1; // race: Item.ofLambda
    }

    private IntSupplier latest; // race: Captured.latest

    public void run() throws Exception {
        together(() -> {
            Item item = new Item();
            latest = () -> item.ofLambda;
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.getAsInt();
        });
    }
}

final class CapturedByOwn implements Program {
    interface Amount {
        int get();
    }

    static final class Item {
        int ofOwnLambda = 1; // race: Item.ofOwnLambda
    }

    private Amount latest; // race: CapturedByOwn.latest

    public void run() throws Exception {
        together(() -> {
            Item item = new Item();
            latest = () -> item.ofOwnLambda;
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.get();
        });
    }
}

/** An inner object has the outer one. */
final class Inner implements Program {
    static class Item {
        int ofOuter = 1; // race: Item.ofOuter

        class View {
            int amount() {
                return ofOuter;
            }
        }
    }

    private Item.View latest; // race: Inner.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item().new View();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.amount();
        });
    }
}

/** All but the constructor lock. */
final class LockedLater implements Program {
    static final class Item {
        private int lockedLater = 1; // race: Item.lockedLater

        synchronized int change() {
            return lockedLater++;
        }
    }

    private Item latest; // race: LockedLater.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.change();
        });
    }
}

/** What is final is known to who gets the object (JLS 17.5). */
final class FinalFields implements Program {
    static final class Item {
        final int ofFinal = 1;
        final int[] amounts = {1};
    }

    private Item latest; // race: FinalFields.latest

    public void run() throws Exception {
        together(() -> {
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            int amount = latest.ofFinal + latest.amounts[0];
        });
    }
}

/** Others of the class stay with their thread. */
final class Others implements Program {
    static final class Kept {
        int ofKept = 1;
    }

    static final class Item {
        int ofOthers = 1; // race: Item.ofOthers
    }

    private Item latest; // race: Others.latest

    public void run() throws Exception {
        together(() -> {
            Kept kept = new Kept();
            kept.ofKept++;
            latest = new Item();
            mark(this);
        }, () -> {
            until(this);
            Kept kept = new Kept();
            kept.ofKept++;
            int amount = latest.ofOthers;
        });
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new ByField(), new ByVolatileField(), new ByStaticField(), new BeforeHandOver(), new ByHelper(),
                new BySuperclass(), new ByObject(), new Further(), new Elements(), new ElementsOfObjects(), new OwnArray(), new Numbers(),
                new CopiedNumbers(), new Cloned(), new InList(), new IntoList(), new IntoMap(), new Captured(), new CapturedByOwn(), new Inner(),
                new LockedLater(), new FinalFields(), new Others());
    }
}
