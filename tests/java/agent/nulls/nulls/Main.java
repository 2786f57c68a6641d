package nulls;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.regex.Matcher;

/** Calls that the JVM refuses, as nothing is there to call them on: each says what was thrown, and where. */
@SuppressWarnings({"deprecation", "removal", "rawtypes", "unchecked"})
public final class Main {
    private interface Call {
        void run() throws Throwable;
    }

    private int own;
    private static int counted;

    private static Object o;
    private static Condition c;
    private static Lock l;
    private static ReentrantLock rl;
    private static Semaphore s;
    private static Thread t;
    private static CountDownLatch cdl;
    private static CyclicBarrier cb;
    private static Phaser ph;
    private static Exchanger<Object> ex;
    private static Map<Object, Object> m;
    private static ConcurrentHashMap<Object, Object> chm;
    private static List<Object> list;
    private static ArrayList<Object> al;
    private static Queue<Object> q;
    private static BlockingQueue<Object> bq;
    private static Deque<Object> dq;
    private static Executor e;
    private static ExecutorService es;
    private static Future<Object> f;
    private static CompletableFuture<Object> cf;
    private static AtomicInteger ai;
    private static AtomicReference<Object> ar;
    private static StringBuilder sb;
    private static StringBuffer sbuf;
    private static ThreadLocal<Object> tl;
    private static ReadWriteLock rw;
    private static StampedLock sl;
    private static Iterator<Object> it;
    private static Set<Object> set;
    private static LongAdder la;
    private static AtomicIntegerArray aia;
    private static ForkJoinPool fjp;
    private static Timer timer;
    private static ScheduledExecutorService ses;
    private static int[] ints;
    private static Object[] objs;
    private static Field field;
    private static Method method;
    private static VarHandle vh;
    private static BitSet bs;
    private static Random r;
    private static Calendar cal;
    private static SimpleDateFormat sdf;
    private static Main self;
    private static TransferQueue<Object> tq;
    private static FutureTask<Object> ft;
    private static Vector<Object> v;
    private static Hashtable<Object, Object> ht;
    private static AtomicIntegerFieldUpdater<Main> up;
    private static Class<?> cls;
    private static ReferenceQueue<Object> rq;
    private static SubmissionPublisher<Object> pub;
    private static AtomicReferenceArray<Object> ara;
    private static AtomicLong alg;
    private static AtomicBoolean ab;
    private static Properties props;
    private static Matcher mat;
    private static ByteBuffer buf;
    private static MessageDigest md;
    private static Collection<Object> col;
    private static CopyOnWriteArrayList<Object> cow;

    private Main() {}

    private final class Inner {}

    private synchronized void locked() {}

    public static void main(String[] args) {
        part1();
        part2();
        part3();
        part4();
        part5();
        part6();
    }

    private static void refused(Call call) {
        try {
            call.run();
            System.out.println("nothing happens");
        } catch (Throwable thrown) {
            StackTraceElement at = thrown.getStackTrace()[0];
            System.out.println(thrown.getClass() + " in " + at.getClassName() + "." + at.getMethodName());
        }
    }

    private static void part1() {
        refused(() -> o.wait());
        refused(() -> o.wait(1));
        refused(() -> o.wait(1, 1));
        refused(() -> o.notify());
        refused(() -> o.notifyAll());
        refused(() -> { synchronized (o) { counted++; } });
        refused(() -> c.await());
        refused(() -> c.await(1, TimeUnit.SECONDS));
        refused(() -> c.awaitNanos(1));
        refused(() -> c.awaitUninterruptibly());
        refused(() -> c.awaitUntil(new Date()));
        refused(() -> c.signal());
        refused(() -> c.signalAll());
        refused(() -> l.lock());
        refused(() -> l.unlock());
        refused(() -> l.tryLock());
        refused(() -> l.tryLock(1, TimeUnit.SECONDS));
        refused(() -> l.lockInterruptibly());
        refused(() -> l.newCondition());
        refused(() -> rl.lock());
        refused(() -> rl.unlock());
        refused(() -> rl.tryLock());
        refused(() -> rl.isHeldByCurrentThread());
        refused(() -> s.acquire());
        refused(() -> s.acquire(2));
        refused(() -> s.release());
        refused(() -> s.release(2));
        refused(() -> s.tryAcquire());
        refused(() -> s.drainPermits());
        refused(() -> s.acquireUninterruptibly());
        refused(() -> t.start());
        refused(() -> t.join());
        refused(() -> t.join(1));
        refused(() -> t.isAlive());
        refused(() -> t.interrupt());
        refused(() -> t.getState());
        refused(() -> t.isInterrupted());
        refused(() -> t.setUncaughtExceptionHandler(null));
        refused(() -> cdl.countDown());
        refused(() -> cdl.await());
    }

    private static void part2() {
        refused(() -> cdl.getCount());
        refused(() -> cdl.await(1, TimeUnit.SECONDS));
        refused(() -> cb.await());
        refused(() -> cb.await(1, TimeUnit.SECONDS));
        refused(() -> ph.arriveAndAwaitAdvance());
        refused(() -> ph.arrive());
        refused(() -> ph.arriveAndDeregister());
        refused(() -> ph.awaitAdvance(0));
        refused(() -> ex.exchange(1));
        refused(() -> m.get(1));
        refused(() -> m.put(1, 1));
        refused(() -> m.remove(1));
        refused(() -> m.remove(1, 1));
        refused(() -> m.putIfAbsent(1, 1));
        refused(() -> m.computeIfAbsent(1, k -> 1));
        refused(() -> m.compute(1, (k, w) -> 1));
        refused(() -> m.merge(1, 1, (x, y) -> x));
        refused(() -> m.containsKey(1));
        refused(() -> m.replace(1, 1));
        refused(() -> m.replace(1, 1, 2));
        refused(() -> m.forEach((k, w) -> {}));
        refused(() -> m.keySet());
        refused(() -> m.clear());
        refused(() -> m.putAll(new HashMap<>()));
        refused(() -> m.getOrDefault(1, 1));
        refused(() -> chm.get(1));
        refused(() -> chm.put(1, 1));
        refused(() -> chm.remove(1));
        refused(() -> chm.putIfAbsent(1, 1));
        refused(() -> chm.mappingCount());
        refused(() -> list.add(1));
        refused(() -> list.get(0));
        refused(() -> list.set(0, 1));
        refused(() -> list.remove(0));
        refused(() -> list.remove((Object) 1));
        refused(() -> list.sort(null));
        refused(() -> list.iterator());
        refused(() -> list.size());
        refused(() -> { for (Object x : list) counted++; });
        refused(() -> list.stream());
    }

    private static void part3() {
        refused(() -> list.addAll(List.of()));
        refused(() -> list.contains(1));
        refused(() -> list.subList(0, 1));
        refused(() -> list.toArray());
        refused(() -> list.toArray(new Object[0]));
        refused(() -> al.add(1));
        refused(() -> al.get(0));
        refused(() -> al.trimToSize());
        refused(() -> al.clone());
        refused(() -> q.offer(1));
        refused(() -> q.poll());
        refused(() -> q.peek());
        refused(() -> q.element());
        refused(() -> q.remove());
        refused(() -> bq.put(1));
        refused(() -> bq.take());
        refused(() -> bq.offer(1, 1, TimeUnit.SECONDS));
        refused(() -> bq.poll(1, TimeUnit.SECONDS));
        refused(() -> bq.drainTo(new ArrayList<>()));
        refused(() -> dq.push(1));
        refused(() -> dq.pop());
        refused(() -> dq.addFirst(1));
        refused(() -> dq.pollLast());
        refused(() -> tq.transfer(1));
        refused(() -> tq.tryTransfer(1));
        refused(() -> e.execute(() -> {}));
        refused(() -> es.submit(() -> {}));
        refused(() -> es.submit(() -> 1));
        refused(() -> es.shutdown());
        refused(() -> es.shutdownNow());
        refused(() -> es.awaitTermination(1, TimeUnit.SECONDS));
        refused(() -> es.invokeAll(List.of()));
        refused(() -> es.isTerminated());
        refused(() -> ses.schedule(() -> {}, 1, TimeUnit.SECONDS));
        refused(() -> ses.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS));
        refused(() -> fjp.invoke(null));
        refused(() -> fjp.submit(() -> {}));
        refused(() -> timer.schedule(null, 1));
        refused(() -> timer.cancel());
        refused(() -> f.get());
    }

    private static void part4() {
        refused(() -> f.get(1, TimeUnit.SECONDS));
        refused(() -> f.isDone());
        refused(() -> f.cancel(true));
        refused(() -> cf.get());
        refused(() -> cf.join());
        refused(() -> cf.complete(1));
        refused(() -> cf.thenApply(x -> x));
        refused(() -> cf.thenAccept(x -> {}));
        refused(() -> cf.whenComplete((x, y) -> {}));
        refused(() -> cf.getNow(1));
        refused(() -> ft.run());
        refused(() -> ai.get());
        refused(() -> ai.set(1));
        refused(() -> ai.incrementAndGet());
        refused(() -> ai.compareAndSet(1, 2));
        refused(() -> ai.lazySet(1));
        refused(() -> ai.updateAndGet(x -> x));
        refused(() -> ai.getPlain());
        refused(() -> ar.get());
        refused(() -> ar.set(1));
        refused(() -> ar.compareAndSet(1, 2));
        refused(() -> ar.getAndSet(1));
        refused(() -> ara.get(0));
        refused(() -> ara.set(0, 1));
        refused(() -> aia.get(0));
        refused(() -> aia.incrementAndGet(0));
        refused(() -> alg.addAndGet(1));
        refused(() -> ab.compareAndSet(true, false));
        refused(() -> la.add(1));
        refused(() -> la.sum());
        refused(() -> sb.append(1));
        refused(() -> sb.toString());
        refused(() -> sb.length());
        refused(() -> sb.charAt(0));
        refused(() -> sbuf.append("x"));
        refused(() -> sb.insert(0, "x"));
        refused(() -> tl.get());
        refused(() -> tl.set(1));
        refused(() -> rw.readLock());
        refused(() -> rw.writeLock());
    }

    private static void part5() {
        refused(() -> sl.readLock());
        refused(() -> sl.writeLock());
        refused(() -> sl.tryOptimisticRead());
        refused(() -> sl.validate(1));
        refused(() -> sl.unlock(1));
        refused(() -> sl.unlockRead(1));
        refused(() -> sl.tryConvertToWriteLock(1));
        refused(() -> it.next());
        refused(() -> it.hasNext());
        refused(() -> it.remove());
        refused(() -> set.add(1));
        refused(() -> set.contains(1));
        refused(() -> set.remove(1));
        refused(() -> { int x = ints[0]; });
        refused(() -> ints[0] = 1);
        refused(() -> { int x = ints.length; });
        refused(() -> objs[0] = 1);
        refused(() -> ints.clone());
        refused(() -> System.arraycopy(ints, 0, ints, 0, 1));
        refused(() -> Arrays.fill(ints, 1));
        refused(() -> Arrays.sort(ints));
        refused(() -> Arrays.copyOf(ints, 1));
        refused(() -> { if (Arrays.hashCode(ints) == 0) throw new NullPointerException(); });
        refused(() -> Arrays.asList(objs));
        refused(() -> Arrays.stream(ints));
        refused(() -> { if (Arrays.equals(ints, ints)) throw new NullPointerException(); });
        refused(() -> Arrays.binarySearch(ints, 1));
        refused(() -> Arrays.copyOfRange(ints, 0, 1));
        refused(() -> Arrays.setAll(ints, i -> i));
        refused(() -> field.get(null));
        refused(() -> field.set(null, 1));
        refused(() -> field.getInt(null));
        refused(() -> method.invoke(null));
        refused(() -> { int x = (int) vh.getVolatile(); });
        refused(() -> vh.set(1));
        refused(() -> cls.getDeclaredFields());
        refused(() -> cls.newInstance());
        refused(() -> up.get(self));
        refused(() -> up.compareAndSet(self, 1, 2));
        refused(() -> bs.set(1));
    }

    private static void part6() {
        refused(() -> r.nextInt());
        refused(() -> cal.get(1));
        refused(() -> sdf.format(new Date()));
        refused(() -> counted += self.own);
        refused(() -> self.own = 1);
        refused(() -> self.locked());
        refused(() -> v.add(1));
        refused(() -> v.get(0));
        refused(() -> ht.put(1, 1));
        refused(() -> rq.remove());
        refused(() -> rq.poll());
        refused(() -> pub.submit(1));
        refused(() -> props.getProperty("x"));
        refused(() -> mat.find());
        refused(() -> buf.get());
        refused(() -> buf.put((byte) 1));
        refused(() -> md.update((byte) 1));
        refused(() -> col.add(1));
        refused(() -> col.removeIf(x -> true));
        refused(() -> cow.add(1));
        refused(() -> cow.addIfAbsent(1));
        refused(() -> { LockSupport.unpark(t); throw new NullPointerException(); });
        refused(() -> Collections.sort((List) null));
        refused(() -> Collections.synchronizedList(null));
        refused(() -> Collections.unmodifiableList(null));
        refused(() -> Collections.shuffle(null));
        refused(() -> Collections.addAll(null, 1));
        refused(() -> ForkJoinTask.invokeAll((ForkJoinTask<?>) null, null));
        refused(() -> ((ForkJoinTask<?>) null).fork());
        refused(() -> ((ForkJoinTask<?>) null).join());
        refused(() -> self.new Inner());
        refused(() -> MethodHandles.lookup().defineHiddenClass(null, true));
        refused(() -> MethodHandles.lookup().defineClass(null));
    }
}
