package added;

import util.Threads;

/** Uses library classes: some always, some only if its arguments ask for it. */
public final class Main {
    static int raced; // race: Main.raced

    private Main() {}

    public static void main(String[] wanted) throws Exception {
        Shelf shelf = new Shelf();
        for (String part : wanted) {
            if (part.equals("lid")) {
                shelf.put(new Lid().price());
            } else {
                Class.forName(part);
            }
        }
        Threads.each(() -> raced++, () -> raced++);
        System.out.println(shelf.sum());
    }
}
