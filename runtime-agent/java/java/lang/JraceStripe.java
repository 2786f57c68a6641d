package java.lang;

import java.lang.ref.WeakReference;
import jdk.internal.vm.annotation.DontInline;

/**
 * A part of the weak identity table of {@link JraceShadow}s, by the last bits of the hash. Look-ups take no lock; who changes chains holds the stripe.
 * Dead entries are taken out when an entry is added to their chain, when the stripe is full and, once garbage was collected, after so many entries
 * that looking for dead ones costs less than they do: a table that has been large would else keep as many of them as it ever had live ones.
 *
 * <p>With them goes the array of chains, too. A new one is young, and what it refers to no collector has to remember: that took a third of the time
 * where entries come and go.
 */
final class JraceStripe {
    private static final int BITS = 6;
    private static final int SMALLEST = 1 << 6;
    /** A chain is looked at once for so many entries that are added. */
    private static final int CHAINS_PER_ENTRY = 4;
    private static final JraceStripe[] ALL = new JraceStripe[1 << BITS];
    private static final int[] LAST_ID = {0};
    /** Dies when garbage is collected. */
    private static volatile WeakReference<Object> garbage = new WeakReference<>(new Object());
    /** How often that was seen, or a little less. */
    private static volatile int collections;

    static {
        for (int i = 0; i < ALL.length; i++) {
            ALL[i] = new JraceStripe();
        }
    }

    private JraceShadow[] chains = new JraceShadow[SMALLEST];
    private int count;
    /** How many entries were added since dead ones were looked for, and at which collection that was. */
    private int added;
    private int swept;
    /** How often it has begun or ended to grow. */
    private volatile int resizes;

    static JraceStripe of(int hash) {
        return ALL[hash & ALL.length - 1];
    }

    private static int place(int hash, JraceShadow[] chains) {
        return hash >>> BITS & chains.length - 1;
    }

    JraceShadow find(Object object, int hash) {
        JraceShadow[] chains = this.chains;
        JraceShadow entry = chains[place(hash, chains)];
        while (entry != null && (entry.hash != hash || !entry.refersTo(object))) {
            entry = entry.next;
        }
        return entry;
    }

    /** The entry of an object; null if it has none. */
    JraceShadow known(Object object, int hash) {
        int before = resizes;
        JraceShadow entry = find(object, hash);
        if (entry == null && isResized(before)) {
            // While the stripe grows, a chain may lack what it has.
            synchronized (this) {
                entry = find(object, hash);
            }
        }
        return entry;
    }

    /** Whether the stripe grows, or has grown since. */
    private boolean isResized(int before) {
        JraceMemory.U.loadFence();
        return (before & 1) != 0 || resizes != before;
    }

    /** The entry of an object, which another thread may have made meanwhile. */
    @DontInline
    synchronized JraceShadow add(Object object, int hash) {
        int at = place(hash, chains);
        JraceShadow first = withoutDead(chains[at]);
        for (JraceShadow entry = first; entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.refersTo(object)) {
                chains[at] = first;
                return entry;
            }
        }
        JraceShadow entry = new JraceShadow(object, hash, newId(), first);
        JraceMemory.U.storeFence();
        chains[at] = entry;
        added();
        return entry;
    }

    private void added() {
        added++;
        if (++count > chains.length) {
            sweep();
            grow();
        } else if (added >= chains.length / CHAINS_PER_ENTRY && swept != collections()) {
            sweep();
        }
    }

    /** Has an entry as well that an object carries, to be told of its end. */
    @DontInline
    static void watch(JraceShadow entry) {
        of(entry.hash).put(entry);
    }

    private synchronized void put(JraceShadow entry) {
        if (entry.isCarried) {
            entry.isCarried = false;
            int at = place(entry.hash, chains);
            entry.next = withoutDead(chains[at]);
            JraceMemory.U.storeFence();
            chains[at] = entry;
            added();
        }
    }

    static int newId() {
        return JraceMemory.U.getAndAddInt(LAST_ID, JraceMemory.INTS, 1) + 1;
    }

    private JraceShadow withoutDead(JraceShadow first) {
        while (first != null && first.refersTo(null)) {
            first.died();
            count--;
            first = first.next;
        }
        for (JraceShadow entry = first; entry != null; entry = entry.next) {
            while (entry.next != null && entry.next.refersTo(null)) {
                entry.next.died();
                count--;
                entry.next = entry.next.next;
            }
        }
        return first;
    }

    /** Changes when garbage is collected. */
    private static int collections() {
        if (garbage.refersTo(null)) {
            garbage = new WeakReference<>(new Object());
            collections++;
        }
        return collections;
    }

    /** Takes dead entries out of all chains. */
    private void sweep() {
        added = 0;
        swept = collections;
        JraceShadow[] renewed = chains(chains.length);
        for (int i = 0; i < renewed.length; i++) {
            renewed[i] = withoutDead(chains[i]);
        }
        JraceMemory.U.storeFence();
        chains = renewed;
    }

    /** So many new chains; those that are there if there is no memory for more. */
    private JraceShadow[] chains(int n) {
        try {
            return new JraceShadow[n];
        } catch (OutOfMemoryError giveUp) {
            return chains;
        }
    }

    /** Doubles the chains if they are more than half full of live entries. */
    private void grow() {
        JraceShadow[] old = chains;
        JraceShadow[] more = count > old.length / 2 ? chains(2 * old.length) : old;
        if (more == old) {
            return;
        }
        resizes++;
        JraceMemory.U.fullFence();
        for (JraceShadow first : old) {
            for (JraceShadow entry = first, following; entry != null; entry = following) {
                following = entry.next;
                int at = place(entry.hash, more);
                entry.next = more[at];
                more[at] = entry;
            }
        }
        chains = more;
        resizes++;
    }
}
