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

    abstract List<Integer> list();

    final void fill() {
        for (int i = 0; i < SIZE; i++) {
            list().add(i);
        }
    }

    abstract void first();

    abstract void second();

    public void run() throws Exception {
        fill();
        together(() -> {
            first();
            mark(this);
        }, () -> {
            until(this);
            second();
        });
        if (list().size() < SIZE - 1) {
            System.out.println(list());
        }
    }
}

final class SetApart extends Lists {
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(3, 1);
    }

    void second() {
        list.set(4, 2);
    }
}

final class SetTogether extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: SetTogether.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(150, 1);
    }

    void second() {
        list.set(150, 2);
    }
}

final class SetThenGet extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: SetThenGet.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.get(0);
    }
}

final class GetThenSet extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: GetThenSet.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.get(199);
    }

    void second() {
        list.set(199, 1);
    }
}

final class GetApart extends Lists {
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

    void first() {
        list.get(7);
    }

    void second() {
        list.set(8, 1);
    }
}

/** Each thread counts at its own index. */
final class CountedApart extends Lists {
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

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
    final List<Integer> list = new ArrayList<>(); // race: CountedTogether.list

    List<Integer> list() {
        return list;
    }

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
    final List<Integer> list = new ArrayList<>(); // race: SetThenGoneOver.list

    List<Integer> list() {
        return list;
    }

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
    final List<Integer> list = new ArrayList<>(); // race: GoneOverThenSet.list

    List<Integer> list() {
        return list;
    }

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
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

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
    final List<Integer> list = new ArrayList<>(); // race: CopiedThenSet.list

    List<Integer> list() {
        return list;
    }

    void first() {
        new ArrayList<>(list);
    }

    void second() {
        list.set(100, 1);
    }
}

final class SetThenSearched extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: SetThenSearched.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(100, 1);
    }

    void second() {
        list.contains(-1);
    }
}

final class SetThenAdded extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: SetThenAdded.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.add(1);
    }
}

final class RemovedThenSet extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: RemovedThenSet.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.remove(199);
    }

    void second() {
        list.set(0, 1);
    }
}

/** How many there are is no element. */
final class SetThenCounted extends Lists {
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.size();
    }
}

final class PartsApart extends Lists {
    final List<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(0, 1);
    }

    void second() {
        list.subList(1, 9).get(0);
    }
}

final class PartsTogether extends Lists {
    final List<Integer> list = new ArrayList<>(); // race: PartsTogether.list

    List<Integer> list() {
        return list;
    }

    void first() {
        list.subList(100, 109).set(5, 1);
    }

    void second() {
        list.set(105, 2);
    }
}

final class WrappedTogether extends Lists {
    final List<Integer> list = new ArrayList<>();
    final List<Integer> wrapped = Collections.unmodifiableList(list); // race: WrappedTogether.wrapped

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(5, 1);
    }

    void second() {
        wrapped.get(5);
    }
}

final class WrappedApart extends Lists {
    final List<Integer> list = new ArrayList<>();
    final List<Integer> wrapped = Collections.unmodifiableList(list);

    List<Integer> list() {
        return list;
    }

    void first() {
        list.set(5, 1);
    }

    void second() {
        wrapped.get(6);
    }
}

/** What a clone holds is nobody else's. */
final class ClonedApart extends Lists {
    final ArrayList<Integer> list = new ArrayList<>();

    List<Integer> list() {
        return list;
    }

    @SuppressWarnings("unchecked")
    void first() {
        list.set(5, 1);
        List<Integer> clone = (List<Integer>) list.clone();
        clone.set(6, 1);
    }

    void second() {
        list.set(6, 1);
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
final class LeftAndTaken implements Program {
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
                found = songs.remove(0);
            }
            found.plays++;
        });
    }
}

public class Main {
    public static void main(String[] args) throws Exception {
        Program.all(args, new SetApart(), new SetTogether(), new SetThenGet(), new GetThenSet(), new GetApart(), new CountedApart(),
                new CountedTogether(), new SetThenGoneOver(), new GoneOverThenSet(), new SetBehindWhatIsGoneOver(), new CopiedThenSet(), new SetThenSearched(),
                new SetThenAdded(), new RemovedThenSet(), new SetThenCounted(), new PartsApart(), new PartsTogether(), new WrappedTogether(),
                new WrappedApart(), new ClonedApart(), new LeftAtIndex(), new LeftAndTaken());
    }
}
