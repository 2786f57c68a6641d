package papers;

import net.jcip.annotations.GuardedBy;

/**
 * Paper 002, figure 2. The paper gives the nodes the dictionary for a parameter, and their fields its lock. Classes have no
 * parameters here, and that a node belongs to the dictionary which holds it is not known: what is written after the node is
 * reachable counts as race-unsafe, a false alarm.
 */
public class Dictionaries {
    static class ParameterizedDictionary {
        @GuardedBy("this") private FP_ParameterizedNode head; // type: guarded this

        synchronized void put(String k, Object v) {
            if (head != null && head.contains(k)) {
                head.update(k, v);
            } else {
                FP_ParameterizedNode node = new FP_ParameterizedNode();
                node.init(k, v, head);
                head = node;
            }
        }
    }

    static class FP_ParameterizedNode {
        private String key; // type: read-only
        private Object value; // type: unsafe
        private FP_ParameterizedNode next; // type: read-only

        void init(String k, Object v, FP_ParameterizedNode n) {
            key = k;
            value = v;
            next = n;
        }

        boolean contains(String k) {
            return key.equals(k) || next != null && next.contains(k);
        }

        void update(String k, Object v) {
            if (key.equals(k)) {
                value = v;
            } else if (next != null) {
                next.update(k, v);
            }
        }
    }

    /** The paper needs no parameter for nodes of an inner class. */
    static class EnclosingDictionary {
        @GuardedBy("this") private FP_InnerNode head; // type: guarded this

        synchronized void put(String k, Object v) {
            for (FP_InnerNode node = head; node != null; node = node.next) {
                node.update(k, v);
            }
            FP_InnerNode node = new FP_InnerNode();
            node.init(k, v, head);
            head = node;
        }

        class FP_InnerNode {
            private String key; // type: read-only
            private Object value; // type: unsafe
            private FP_InnerNode next; // type: read-only

            void init(String k, Object v, FP_InnerNode n) {
                key = k;
                value = v;
                next = n;
            }

            void update(String k, Object v) {
                if (key.equals(k)) {
                    value = v;
                }
            }
        }
    }

    public static void main(String[] arguments) {
        ParameterizedDictionary first = new ParameterizedDictionary();
        EnclosingDictionary second = new EnclosingDictionary();
        for (int i = 0; i < 2; i++) {
            new Thread(() -> {
                first.put("a", 1);
                second.put("a", 1);
            }).start();
        }
    }
}
