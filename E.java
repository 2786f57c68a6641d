public class E { public static void main(String[] a){ } }
