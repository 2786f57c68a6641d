package papers;

import net.jcip.annotations.GuardedBy;

/**
 * Paper 002, figure 2. The paper gives the nodes the dictionary for a parameter, and their fields its lock. Here that is inferred:
 * each node is kept by one dictionary, its owner.
 */
public class Dictionaries {
    static class ParameterizedDictionary {
        @GuardedBy("this") private ParameterizedNode head; // type: guarded this

        synchronized void put(String k, Object v) {
            if (head != null && head.contains(k)) {
                head.update(k, v);
            } else {
                ParameterizedNode node = new ParameterizedNode();
                node.init(k, v, head);
                head = node;
            }
        }
    }

    static class ParameterizedNode {
        private String key; // type: read-only
        private Object value; // type: guarded owner
        private ParameterizedNode next; // type: read-only

        void init(String k, Object v, ParameterizedNode n) {
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
        @GuardedBy("this") private InnerNode head; // type: guarded this

        synchronized void put(String k, Object v) {
            for (InnerNode node = head; node != null; node = node.next) {
                node.update(k, v);
            }
            InnerNode node = new InnerNode();
            node.init(k, v, head);
            head = node;
        }

        class InnerNode {
            private String key; // type: read-only
            private Object value; // type: guarded owner
            private InnerNode next; // type: read-only

            void init(String k, Object v, InnerNode n) {
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
