import java.util.function.IntUnaryOperator;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.matcher.ElementMatchers;

/** Classes that are generated, one that is woven as it loads, one that is changed after it has run, and one of the JDK, by threads that call them. */
public final class Redefined {
    /** Is woven as it loads. */
    static final class Loaded {
        private int calls;

        synchronized int call() {
            return ++calls;
        }
    }

    /** Is changed when it has run. */
    static class Changed {
        private int calls;

        synchronized int call() {
            return ++calls;
        }
    }

    /** Adds a thousand to what a method returns. */
    public static final class More {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) int result) {
            result += 1000;
        }
    }

    /** What a generated class calls. */
    public static final class Target {
        public static int apply(int of) {
            return 3 * of;
        }
    }

    public static void main(String[] args) throws Exception {
        var builder = new AgentBuilder.Default().disableClassFormatChanges().with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION);
        builder.type(ElementMatchers.named("Redefined$Loaded")).transform(more("call")).installOn(ByteBuddyAgent.getInstrumentation());
        Changed changed = new Changed();
        System.out.println(inThreads(changed::call));
        builder.type(ElementMatchers.named("Redefined$Changed")).transform(more("call")).installOn(ByteBuddyAgent.getInstrumentation());
        System.out.println(inThreads(changed::call));
        System.out.println(inThreads(new Loaded()::call));
        IntUnaryOperator tripled = new ByteBuddy().subclass(IntUnaryOperator.class).method(ElementMatchers.named("applyAsInt"))
                .intercept(MethodDelegation.to(Target.class)).make().load(Redefined.class.getClassLoader()).getLoaded().getConstructor().newInstance();
        System.out.println(inThreads(() -> tripled.applyAsInt(2)));
        Object fixed = new ByteBuddy().subclass(Object.class).method(ElementMatchers.isToString()).intercept(FixedValue.value("generated"))
                .make().load(Redefined.class.getClassLoader()).getLoaded().getConstructor().newInstance();
        System.out.println(fixed);
        builder.ignore(ElementMatchers.none()).type(ElementMatchers.named("java.util.Random")).transform(more("nextInt"))
                .installOn(ByteBuddyAgent.getInstrumentation());
        System.out.println(new java.util.Random(1).nextInt(10) >= 1000);
    }

    private static AgentBuilder.Transformer more(String method) {
        return (made, type, loader, module, domain) -> made.visit(Advice.to(More.class).on(ElementMatchers.named(method)));
    }

    /** What a hundred calls of two threads return, added. */
    private static int inThreads(java.util.function.IntSupplier call) throws InterruptedException {
        int[] sums = new int[2];
        Thread[] threads = new Thread[sums.length];
        for (int i = 0; i < threads.length; i++) {
            int own = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 50; j++) {
                    sums[own] += call.getAsInt();
                }
            });
            threads[i].start();
        }
        int all = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            all += sums[i];
        }
        return all;
    }
}
