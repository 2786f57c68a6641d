/** Starts and ends. */
final class Hello {
    public static void main(String[] args) {
        System.out.println("Hello");
    }
}
