package client;

/** Clients extend it. */
public class Protected {
    private final Part part;
    private int own; // race

    public Protected() {
        part = new OwnPart();
    }

    private Protected(Part part) {
        this.part = part;
    }

    public static Protected made() {
        return new Protected(new MadePart());
    }

    protected void hit() {
        own++;
        part.hit();
    }

    private interface Part {
        void hit();
    }

    private static class OwnPart implements Part {
        private int ofOwn; // race

        @Override
        public void hit() {
            ofOwn++;
        }
    }

    /** Only a method that is no client's calls it: a subclass calls protected methods of its own objects only. */
    private static class MadePart implements Part {
        private int ofMade;

        @Override
        public void hit() {
            ofMade++;
        }
    }
}
