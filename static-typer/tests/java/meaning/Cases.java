import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/** Prints what the cases of classes give: static methods of one {@code int} whose names begin with {@code case}. */
public final class Cases {
    /** The arguments, separated by commas, then the classes. */
    public static void main(String[] args) throws Exception {
        int[] inputs = Arrays.stream(args[0].split(",")).mapToInt(Integer::parseInt).toArray();
        for (int i = 1; i < args.length; i++) {
            Method[] methods = Class.forName(args[i]).getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                if (!method.getName().startsWith("case")) continue;
                for (int input : inputs) {
                    System.out.println(args[i] + "." + method.getName() + " " + input + " " + outcome(method, input));
                }
            }
        }
    }

    private static String outcome(Method method, int input) throws IllegalAccessException {
        try {
            return method.invoke(null, input).toString();
        } catch (InvocationTargetException e) {
            return e.getCause().getClass().getName();
        }
    }
}
