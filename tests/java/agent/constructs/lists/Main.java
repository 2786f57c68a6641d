package lists;

import static schedule.Schedule.mark;
import static schedule.Schedule.together;
import static schedule.Schedule.until;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import schedule.Program;

/** Two threads use a list that a third one has filled: one after the other, but nothing orders them. */
abstract class Lists implements Program {
    static final int SIZE = 200;

    static ArrayList<Integer> filled() {
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            list.add(i);
        }
        return list;
    }

    abstract void first();

    abstract void second();

    public void run() throws Exception {
        together(() -> {
            first();
            mark(this);
        }, () -> {
            until(this);
            second();
        });
    }
}

final class SetApart extends Lists {
    final List<Integer> list = filled();

    void first() {
        list.set(3, 1);
    }

    void second() {
        list.set(4, 2);
    }
}

final class SetTogether extends Lists {
    final List<Integer> list = filled(); // race: SetTogether.list

    void first() {
        list.set(150, 1);
    }

    void second() {
        list.set(150, 2);
    }
}

final class SetThenGet extends Lists {
    final List<Integer> list = filled(); // race: SetThenGet.list

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.get(0);
    }
}

final class GetThenSet extends Lists {
    final List<Integer> list = filled(); // race: GetThenSet.list

    void first() {
        list.get(199);
    }

    void second() {
        list.set(199, 1);
    }
}

final class GetApart extends Lists {
    final List<Integer> list = filled();

    void first() {
        list.get(7);
    }

    void second() {
        list.set(8, 1);
    }
}

/** Each thread counts at its own index. */
final class CountedApart extends Lists {
    final List<Integer> list = filled();

    void first() {
        for (int i = 0; i < SIZE; i += 2) {
            list.set(i, list.get(i) + 1);
        }
    }

    void second() {
        for (int i = 1; i < SIZE; i += 2) {
            list.set(i, list.get(i) + 1);
        }
    }
}

final class CountedTogether extends Lists {
    final List<Integer> list = filled(); // race: CountedTogether.list

    void first() {
        for (int i = 0; i < SIZE; i += 2) {
            list.set(i, list.get(i) + 1);
        }
    }

    void second() {
        for (int i = 0; i < SIZE; i += 3) {
            list.set(i, list.get(i) + 1);
        }
    }
}

final class SetThenGoneOver extends Lists {
    final List<Integer> list = filled(); // race: SetThenGoneOver.list

    void first() {
        list.set(100, 1);
    }

    void second() {
        for (int each : list) {
            if (each < 0) {
                System.out.println(each);
            }
        }
    }
}

final class GoneOverThenSet extends Lists {
    final List<Integer> list = filled(); // race: GoneOverThenSet.list

    void first() {
        for (int each : list) {
            if (each < 0) {
                System.out.println(each);
            }
        }
    }

    void second() {
        list.set(100, 1);
    }
}

/** Not that far. */
final class SetBehindWhatIsGoneOver extends Lists {
    final List<Integer> list = filled();

    void first() {
        list.set(100, 1);
    }

    void second() {
        Iterator<Integer> iterator = list.iterator();
        for (int i = 0; i < 100; i++) {
            iterator.next();
        }
    }
}

final class CopiedThenSet extends Lists {
    final List<Integer> list = filled(); // race: CopiedThenSet.list

    void first() {
        new ArrayList<>(list);
    }

    void second() {
        list.set(100, 1);
    }
}

final class SetThenSearched extends Lists {
    final List<Integer> list = filled(); // race: SetThenSearched.list

    void first() {
        list.set(100, 1);
    }

    void second() {
        list.contains(-1);
    }
}

final class SetThenAdded extends Lists {
    final List<Integer> list = filled(); // race: SetThenAdded.list

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.add(1);
    }
}

final class RemovedThenSet extends Lists {
    final List<Integer> list = filled(); // race: RemovedThenSet.list

    void first() {
        list.remove(199);
    }

    void second() {
        list.set(0, 1);
    }
}

/** How many there are is no element. */
final class SetThenCounted extends Lists {
    final List<Integer> list = filled();

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.size();
    }
}

final class PartsApart extends Lists {
    final List<Integer> list = filled();

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.subList(1, 9).get(0);
    }
}

final class PartsTogether extends Lists {
    final List<Integer> list = filled(); // race: PartsTogether.list

    void first() {
        list.subList(100, 109).set(5, 1);
    }

    void second() {
        list.set(105, 2);
    }
}

final class WrappedTogether extends Lists {
    final List<Integer> list = filled();
    final List<Integer> wrapped = Collections.unmodifiableList(list); // race: WrappedTogether.wrapped

    void first() {
        list.set(5, 1);
    }

    void second() {
        wrapped.get(5);
    }
}

final class WrappedApart extends Lists {
    final List<Integer> list = filled();
    final List<Integer> wrapped = Collections.unmodifiableList(list);

    void first() {
        list.set(5, 1);
    }

    void second() {
        wrapped.get(6);
    }
}

/** What a clone holds is nobody else's. */
final class ClonedApart extends Lists {
    final ArrayList<Integer> list = filled();
    final List<Integer> clone = clone(list);

    @SuppressWarnings("unchecked")
    static List<Integer> clone(ArrayList<Integer> list) {
        list.set(5, 1);
        return (List<Integer>) list.clone();
    }

    void first() {
        clone.set(6, 1);
    }

    void second() {
        list.set(6, 1);
    }
}

final class SetThenCloned extends Lists {
    final ArrayList<Integer> list = filled(); // race: SetThenCloned.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        list.clone();
    }
}

/** What is not known to come to one element or to none comes to each. */
final class SetThenAskedForAll extends Lists {
    final List<Integer> list = filled(); // race: SetThenAskedForAll.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        list.containsAll(List.of(-1));
    }
}

final class SetThenMaximum extends Lists {
    final List<Integer> list = filled(); // race: SetThenMaximum.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        Collections.max(list);
    }
}

final class SetThenPartSearched extends Lists {
    final List<Integer> list = filled(); // race: SetThenPartSearched.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        list.subList(0, 9).contains(-1);
    }
}

final class SetThenRest extends Lists {
    final List<Integer> list = filled(); // race: SetThenRest.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        list.iterator().forEachRemaining(each -> {});
    }
}

final class SetThenBackwards extends Lists {
    final List<Integer> list = filled(); // race: SetThenBackwards.list

    void first() {
        list.set(5, 1);
    }

    void second() {
        list.listIterator(6).previous();
    }
}

/** A call that names the class comes to each element. */
final class SetThenNamed extends Lists {
    static final class Numbers extends ArrayList<Integer> {
        private static final long serialVersionUID = 1;

        Numbers(List<Integer> all) {
            super(all);
        }
    }

    final Numbers list = new Numbers(filled()); // race: SetThenNamed.list

    void first() {
        List<Integer> any = list;
        any.set(5, 1);
    }

    void second() {
        list.get(5);
    }
}

/** The table of states grows with the list. */
final class GoneOverFarBehind extends Lists {
    final List<Integer> list = new ArrayList<>(List.of(1, 2)); // race: GoneOverFarBehind.list

    GoneOverFarBehind() {
        synchronized (this) {
            list.set(0, 1);
        }
        list.addAll(filled());
    }

    void first() {
        new ArrayList<>(list);
    }

    void second() {
        list.set(200, 1);
    }
}

/** An object is left at an index under a lock, and found there. */
final class LeftAtIndex implements Program {
    static final class Song {
        int plays;
    }

    final List<Song> songs = new ArrayList<>();

    public void run() throws Exception {
        songs.add(null);
        together(() -> {
            Song song = new Song();
            song.plays = 1;
            synchronized (this) {
                songs.set(0, song);
            }
            mark(this);
        }, () -> {
            until(this);
            Song found;
            synchronized (this) {
                found = songs.get(0);
            }
            found.plays++;
        });
    }
}

/** The same, and what finds it takes it out. */
abstract class LeftAndTaken implements Program {
    static final class Song {
        int plays;
    }

    final List<Song> songs = new ArrayList<>();

    abstract int index();

    public void run() throws Exception {
        songs.add(null);
        songs.add(null);
        together(() -> {
            Song song = new Song();
            song.plays = 1;
            synchronized (this) {
                songs.set(index(), song);
            }
            mark(this);
        }, () -> {
            until(this);
            Song found;
            synchronized (this) {
                found = songs.remove(index());
            }
            found.plays++;
        });
    }
}

final class TakenFirst extends LeftAndTaken {
    int index() {
        return 0;
    }
}

final class TakenLast extends LeftAndTaken {
    int index() {
        return 1;
    }
}

public class Main {
    public static void main(String[] args) throws Exception {
        Program.all(args, new SetApart(), new SetTogether(), new SetThenGet(), new GetThenSet(), new GetApart(), new CountedApart(),
                new CountedTogether(), new SetThenGoneOver(), new GoneOverThenSet(), new SetBehindWhatIsGoneOver(), new CopiedThenSet(), new SetThenSearched(),
                new SetThenAdded(), new RemovedThenSet(), new SetThenCounted(), new PartsApart(), new PartsTogether(), new WrappedTogether(),
                new WrappedApart(), new ClonedApart(), new SetThenCloned(), new SetThenAskedForAll(), new SetThenMaximum(), new SetThenPartSearched(),
                new SetThenRest(), new SetThenBackwards(), new SetThenNamed(), new GoneOverFarBehind(), new LeftAtIndex(), new TakenFirst(), new TakenLast());
    }
}
