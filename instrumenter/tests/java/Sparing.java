/** Each method says which hooks it calls in a trace that leaves out reads which say nothing new of transactions. */
public class Sparing {
    int plain;
    int other;
    volatile int hot;
    int[] array = new int[4];
    Sparing self = this;

    // hooks: readField readField
    public int thrice() { return plain + plain + plain + plain; }
    // hooks: readField readField readField
    public int twoFields() { return plain + other + plain + plain; }
    // hooks: readField readField writeField readField readField
    public int written() { int a = plain + plain + plain; plain = a; return plain + plain + plain; }
    // hooks: readField readField writeField
    public int otherWritten() { int a = plain + plain; other = a; return plain + plain; }
    // hooks: readField readField readField writeField readField
    public int writtenThroughAnother() { Sparing s = self; int a = plain + plain; s.plain = a; return plain; }
    // hooks: readField readField readField
    public int called() { int a = plain + plain; none(); return a + plain; }
    private void none() { }
    // hooks: readField readField enter readField exit
    public int locked() { int a = plain + plain; synchronized (this) { a += plain; } return a; }
    // hooks: readField readField readField readField readField
    public int throughVolatile() { int a = plain + plain; a += hot; return a + plain + plain - plain; }
    // hooks: readField readArray readArray
    public int elements() { int[] a = array; return a[0] + a[1] + a[2]; }
    // hooks: readField readArray readArray writeArray readArray
    public int elementWritten() { int[] a = array; int b = a[0] + a[1]; a[2] = b; return a[0]; }
    // hooks: readField readField readField writeField readField writeField
    public void counted() { int a = plain + plain; plain++; plain++; }
    // hooks: readField readField readField readField
    public int loop() { int a = 0; for (int i = 0; i < 2; i++) a += plain + plain + plain; return a; }
}
