package scopes;

import static schedule.Schedule.mark;
import static schedule.Schedule.until;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import schedule.Program;

/** A scope of structured tasks, by reflection: the class is a preview, and is made otherwise in each release. */
final class Scope implements AutoCloseable {
    private static final Class<?> TYPE = type();
    private final Object scope;

    Scope() throws Exception {
        scope = TYPE.isInterface() ? TYPE.getMethod("open").invoke(null) : TYPE.getConstructor().newInstance();
    }

    private static Class<?> type() {
        try {
            return Class.forName("java.util.concurrent.StructuredTaskScope");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object call(String name) throws Exception {
        return TYPE.getMethod(name).invoke(scope);
    }

    void fork(Callable<?> task) throws Exception {
        Method fork = TYPE.getMethod("fork", Callable.class);
        fork.invoke(scope, task);
    }

    void join() throws Exception {
        call("join");
    }

    @Override
    public void close() throws Exception {
        call("close");
    }
}

/** What was done before is known to a subtask, and what it has done to who has joined. */
final class Joined implements Program {
    static final class User {
        String name;
        int visits;
    }

    final List<String> names = new ArrayList<>(List.of("ann", "bob"));

    public void run() throws Exception {
        User[] users = new User[2];
        try (Scope scope = new Scope()) {
            for (int i = 0; i < 2; i++) {
                int own = i;
                scope.fork(() -> {
                    User user = new User();
                    user.name = names.get(own);
                    user.visits = 1;
                    users[own] = user;
                    return user;
                });
            }
            scope.join();
            names.add("eve");
            users[0].visits += users[1].visits;
            users[1].name = users[0].name;
        }
    }
}

/** Nobody has joined yet. */
final class NotJoined implements Program {
    int count; // race: NotJoined.count

    public void run() throws Exception {
        try (Scope scope = new Scope()) {
            scope.fork(() -> {
                count = 1;
                mark(this);
                return null;
            });
            until(this);
            count++;
            scope.join();
        }
    }
}

/** A task fails, and another one is stopped or not: both have ended when the scope is closed. */
final class Failed implements Program {
    int failed;
    int slow;

    public void run() throws Exception {
        try (Scope scope = new Scope()) {
            scope.fork(() -> {
                failed = 1;
                throw new IllegalStateException("expected");
            });
            scope.fork(() -> {
                try {
                    Thread.sleep(200);
                } catch (InterruptedException stopped) {
                    slow = 1;
                }
                return slow++;
            });
            scope.join();
        } catch (InvocationTargetException expected) {
            failed++;
        }
        failed++;
        slow++;
    }
}

public final class Main {
    public static void main(String[] names) throws Exception {
        Program.all(names, new Joined(), new NotJoined(), new Failed());
    }
}
