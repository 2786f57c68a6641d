//! Random tasks that come one after the other, as an oracle for races of tasks: which thread runs a task says nothing of what races.
//!
//! So the same tasks are run in three ways: each by a worker of its own, all by one worker of a pool that may have more, and as requests in
//! the thread that sends them. Files, of which no checker knows, say when a task has ended.

use std::fmt::Write as _;

use super::Random;

/// How many plain fields the tasks of a case share.
const FIELDS: [&str; 3] = ["a", "b", "c"];
/// How many tasks a case has at most.
const TASKS: usize = 4;
/// How many statements a task has at most.
const STATEMENTS: usize = 4;

/// What orders two tasks if the second one meets what the first has left, and what does not.
const MEETINGS: [&str; 14] = [
    "v = 1;",
    "if (v == 7) { return; }",
    "count.incrementAndGet();",
    "count.get();",
    "reference.set(new Object());",
    "reference.get();",
    "map.put(\"k\", new Object());",
    "map.get(\"k\");",
    "map.computeIfAbsent(\"k\", key -> new Object());",
    "queue.add(new Object());",
    "queue.poll();",
    "latch.countDown();",
    "latch.getCount();",
    "LOCAL.get()[0]++;",
];

const SUPPORT: &str = "package tasks;
import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
interface Case {
    int tasks();
    void run(int task);
    boolean isWaitedFor(int task);
}
final class Request extends HttpServlet {
    private final Case one;
    private final int task;
    Request(Case one, int task) { this.one = one; this.task = task; }
    protected void handle() { one.run(task); }
}
public final class Main {
    private static ThreadPoolExecutor pool(int core, BlockingQueue<Runnable> queue) {
        return new ThreadPoolExecutor(core, TASKS, 1, TimeUnit.MINUTES, queue);
    }
    private static final int TASKS = 4;
    private static void byPool(Case one, ThreadPoolExecutor pool) throws Exception {
        for (int i = 0; i < one.tasks(); i++) {
            int task = i;
            File done = new File(one.getClass().getSimpleName() + \"-\" + task);
            Future<?> future = pool.submit(() -> {
                one.run(task);
                return done.createNewFile();
            });
            while (!done.exists()) {
                Thread.sleep(1);
            }
            if (one.isWaitedFor(task)) {
                future.get();
            }
        }
        pool.shutdown();
    }
    private static void run(Case one, String way) throws Exception {
        switch (way) {
            case \"workers\" -> byPool(one, pool(TASKS, new LinkedBlockingQueue<>()));
            case \"worker\" -> byPool(one, pool(1, new ArrayBlockingQueue<>(100)));
            default -> {
                for (int i = 0; i < one.tasks(); i++) {
                    new Request(one, i).service(null, null);
                }
            }
        }
    }
";

/// The source of class `tasks.Main` with so many cases, `C0` and so on, whose name for the way to run them is its argument; `waits` if some
/// tasks are waited for.
#[must_use]
pub fn program(seed: u64, cases: usize, waits: bool) -> String {
    let mut random = Random(seed);
    let mut text = SUPPORT.to_owned() + "    public static void main(String[] way) throws Exception {\n";
    for case in 0..cases {
        let _ = writeln!(text, "        run(new C{case}(), way[0]);");
    }
    text += "    }\n}\n";
    (0..cases).for_each(|case| write_case(&mut text, case, waits, &mut random));
    text
}

fn write_case(text: &mut String, case: usize, waits: bool, random: &mut Random) {
    let tasks = 2 + random.below(TASKS - 1);
    let _ = writeln!(
        text,
        "final class C{case} implements Case {{
    int {};
    volatile int v;
    final AtomicInteger count = new AtomicInteger();
    final AtomicReference<Object> reference = new AtomicReference<>();
    final ConcurrentHashMap<String, Object> map = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>();
    final CountDownLatch latch = new CountDownLatch(2);
    static final ThreadLocal<int[]> LOCAL = ThreadLocal.withInitial(() -> new int[1]);
    public int tasks() {{ return {tasks}; }}
    public void run(int task) {{
        switch (task) {{",
        FIELDS.join(", ")
    );
    for task in 0..tasks {
        let statements: Vec<String> = (0..=random.below(STATEMENTS)).map(|_| statement(random)).collect();
        let _ = writeln!(text, "            case {task} -> {{ {} }}", statements.join(" "));
    }
    text.push_str("            default -> { }\n        }\n    }\n");
    let waited: Vec<String> =
        (0..tasks).filter(|_| waits && random.one_in(4)).map(|task| format!("task == {task}")).collect();
    let waited = if waited.is_empty() { "false".to_owned() } else { waited.join(" || ") };
    let _ = writeln!(text, "    public boolean isWaitedFor(int task) {{ return {waited}; }}\n}}");
}

fn statement(random: &mut Random) -> String {
    if random.one_in(3) {
        return random.pick(&MEETINGS).to_owned();
    }
    let field = random.pick(&FIELDS);
    let access = if random.one_in(3) { format!("if ({field} == 70) {{ return; }}") } else { format!("{field}++;") };
    if random.one_in(4) { format!("synchronized (map) {{ {access} }}") } else { access }
}
