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

    private static Object object;
    private static Condition condition;
    private static Lock lock;
    private static ReentrantLock reentrantLock;
    private static Semaphore semaphore;
    private static Thread thread;
    private static CountDownLatch latch;
    private static CyclicBarrier barrier;
    private static Phaser phaser;
    private static Exchanger<Object> exchanger;
    private static Map<Object, Object> map;
    private static ConcurrentHashMap<Object, Object> concurrentMap;
    private static List<Object> list;
    private static ArrayList<Object> arrayList;
    private static Queue<Object> queue;
    private static BlockingQueue<Object> blockingQueue;
    private static Deque<Object> deque;
    private static Executor executor;
    private static ExecutorService executorService;
    private static Future<Object> future;
    private static CompletableFuture<Object> completableFuture;
    private static AtomicInteger atomicInteger;
    private static AtomicReference<Object> atomicReference;
    private static StringBuilder builder;
    private static StringBuffer stringBuffer;
    private static ThreadLocal<Object> threadLocal;
    private static ReadWriteLock readWriteLock;
    private static StampedLock stampedLock;
    private static Iterator<Object> iterator;
    private static Set<Object> set;
    private static LongAdder adder;
    private static AtomicIntegerArray integerArray;
    private static ForkJoinPool forkJoinPool;
    private static Timer timer;
    private static ScheduledExecutorService scheduledExecutor;
    private static int[] numbers;
    private static Object[] objects;
    private static Field field;
    private static Method method;
    private static VarHandle varHandle;
    private static BitSet bitSet;
    private static Random random;
    private static Calendar calendar;
    private static SimpleDateFormat dateFormat;
    private static Main other;
    private static TransferQueue<Object> transferQueue;
    private static FutureTask<Object> futureTask;
    private static Vector<Object> vector;
    private static Hashtable<Object, Object> hashtable;
    private static AtomicIntegerFieldUpdater<Main> updater;
    private static Class<?> type;
    private static ReferenceQueue<Object> referenceQueue;
    private static SubmissionPublisher<Object> publisher;
    private static AtomicReferenceArray<Object> referenceArray;
    private static AtomicLong atomicLong;
    private static AtomicBoolean atomicBoolean;
    private static Properties properties;
    private static Matcher matcher;
    private static ByteBuffer buffer;
    private static MessageDigest digest;
    private static Collection<Object> collection;
    private static CopyOnWriteArrayList<Object> copyOnWriteList;

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
        refused(() -> object.wait());
        refused(() -> object.wait(1));
        refused(() -> object.wait(1, 1));
        refused(() -> object.notify());
        refused(() -> object.notifyAll());
        refused(() -> { synchronized (object) { counted++; } });
        refused(() -> condition.await());
        refused(() -> condition.await(1, TimeUnit.SECONDS));
        refused(() -> condition.awaitNanos(1));
        refused(() -> condition.awaitUninterruptibly());
        refused(() -> condition.awaitUntil(new Date()));
        refused(() -> condition.signal());
        refused(() -> condition.signalAll());
        refused(() -> lock.lock());
        refused(() -> lock.unlock());
        refused(() -> lock.tryLock());
        refused(() -> lock.tryLock(1, TimeUnit.SECONDS));
        refused(() -> lock.lockInterruptibly());
        refused(() -> lock.newCondition());
        refused(() -> reentrantLock.lock());
        refused(() -> reentrantLock.unlock());
        refused(() -> reentrantLock.tryLock());
        refused(() -> reentrantLock.isHeldByCurrentThread());
        refused(() -> semaphore.acquire());
        refused(() -> semaphore.acquire(2));
        refused(() -> semaphore.release());
        refused(() -> semaphore.release(2));
        refused(() -> semaphore.tryAcquire());
        refused(() -> semaphore.drainPermits());
        refused(() -> semaphore.acquireUninterruptibly());
        refused(() -> thread.start());
        refused(() -> thread.join());
        refused(() -> thread.join(1));
        refused(() -> thread.isAlive());
        refused(() -> thread.interrupt());
        refused(() -> thread.getState());
        refused(() -> thread.isInterrupted());
        refused(() -> thread.setUncaughtExceptionHandler(null));
        refused(() -> latch.countDown());
        refused(() -> latch.await());
    }

    private static void part2() {
        refused(() -> latch.getCount());
        refused(() -> latch.await(1, TimeUnit.SECONDS));
        refused(() -> barrier.await());
        refused(() -> barrier.await(1, TimeUnit.SECONDS));
        refused(() -> phaser.arriveAndAwaitAdvance());
        refused(() -> phaser.arrive());
        refused(() -> phaser.arriveAndDeregister());
        refused(() -> phaser.awaitAdvance(0));
        refused(() -> exchanger.exchange(1));
        refused(() -> map.get(1));
        refused(() -> map.put(1, 1));
        refused(() -> map.remove(1));
        refused(() -> map.remove(1, 1));
        refused(() -> map.putIfAbsent(1, 1));
        refused(() -> map.computeIfAbsent(1, k -> 1));
        refused(() -> map.compute(1, (k, w) -> 1));
        refused(() -> map.merge(1, 1, (x, y) -> x));
        refused(() -> map.containsKey(1));
        refused(() -> map.replace(1, 1));
        refused(() -> map.replace(1, 1, 2));
        refused(() -> map.forEach((k, w) -> {}));
        refused(() -> map.keySet());
        refused(() -> map.clear());
        refused(() -> map.putAll(new HashMap<>()));
        refused(() -> map.getOrDefault(1, 1));
        refused(() -> concurrentMap.get(1));
        refused(() -> concurrentMap.put(1, 1));
        refused(() -> concurrentMap.remove(1));
        refused(() -> concurrentMap.putIfAbsent(1, 1));
        refused(() -> concurrentMap.mappingCount());
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
        refused(() -> arrayList.add(1));
        refused(() -> arrayList.get(0));
        refused(() -> arrayList.trimToSize());
        refused(() -> arrayList.clone());
        refused(() -> queue.offer(1));
        refused(() -> queue.poll());
        refused(() -> queue.peek());
        refused(() -> queue.element());
        refused(() -> queue.remove());
        refused(() -> blockingQueue.put(1));
        refused(() -> blockingQueue.take());
        refused(() -> blockingQueue.offer(1, 1, TimeUnit.SECONDS));
        refused(() -> blockingQueue.poll(1, TimeUnit.SECONDS));
        refused(() -> blockingQueue.drainTo(new ArrayList<>()));
        refused(() -> deque.push(1));
        refused(() -> deque.pop());
        refused(() -> deque.addFirst(1));
        refused(() -> deque.pollLast());
        refused(() -> transferQueue.transfer(1));
        refused(() -> transferQueue.tryTransfer(1));
        refused(() -> executor.execute(() -> {}));
        refused(() -> executorService.submit(() -> {}));
        refused(() -> executorService.submit(() -> 1));
        refused(() -> executorService.shutdown());
        refused(() -> executorService.shutdownNow());
        refused(() -> executorService.awaitTermination(1, TimeUnit.SECONDS));
        refused(() -> executorService.invokeAll(List.of()));
        refused(() -> executorService.isTerminated());
        refused(() -> scheduledExecutor.schedule(() -> {}, 1, TimeUnit.SECONDS));
        refused(() -> scheduledExecutor.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS));
        refused(() -> forkJoinPool.invoke(null));
        refused(() -> forkJoinPool.submit(() -> {}));
        refused(() -> timer.schedule(null, 1));
        refused(() -> timer.cancel());
        refused(() -> future.get());
    }

    private static void part4() {
        refused(() -> future.get(1, TimeUnit.SECONDS));
        refused(() -> future.isDone());
        refused(() -> future.cancel(true));
        refused(() -> completableFuture.get());
        refused(() -> completableFuture.join());
        refused(() -> completableFuture.complete(1));
        refused(() -> completableFuture.thenApply(x -> x));
        refused(() -> completableFuture.thenAccept(x -> {}));
        refused(() -> completableFuture.whenComplete((x, y) -> {}));
        refused(() -> completableFuture.getNow(1));
        refused(() -> futureTask.run());
        refused(() -> atomicInteger.get());
        refused(() -> atomicInteger.set(1));
        refused(() -> atomicInteger.incrementAndGet());
        refused(() -> atomicInteger.compareAndSet(1, 2));
        refused(() -> atomicInteger.lazySet(1));
        refused(() -> atomicInteger.updateAndGet(x -> x));
        refused(() -> atomicInteger.getPlain());
        refused(() -> atomicReference.get());
        refused(() -> atomicReference.set(1));
        refused(() -> atomicReference.compareAndSet(1, 2));
        refused(() -> atomicReference.getAndSet(1));
        refused(() -> referenceArray.get(0));
        refused(() -> referenceArray.set(0, 1));
        refused(() -> integerArray.get(0));
        refused(() -> integerArray.incrementAndGet(0));
        refused(() -> atomicLong.addAndGet(1));
        refused(() -> atomicBoolean.compareAndSet(true, false));
        refused(() -> adder.add(1));
        refused(() -> adder.sum());
        refused(() -> builder.append(1));
        refused(() -> builder.toString());
        refused(() -> builder.length());
        refused(() -> builder.charAt(0));
        refused(() -> stringBuffer.append("x"));
        refused(() -> builder.insert(0, "x"));
        refused(() -> threadLocal.get());
        refused(() -> threadLocal.set(1));
        refused(() -> readWriteLock.readLock());
        refused(() -> readWriteLock.writeLock());
    }

    private static void part5() {
        refused(() -> stampedLock.readLock());
        refused(() -> stampedLock.writeLock());
        refused(() -> stampedLock.tryOptimisticRead());
        refused(() -> stampedLock.validate(1));
        refused(() -> stampedLock.unlock(1));
        refused(() -> stampedLock.unlockRead(1));
        refused(() -> stampedLock.tryConvertToWriteLock(1));
        refused(() -> iterator.next());
        refused(() -> iterator.hasNext());
        refused(() -> iterator.remove());
        refused(() -> set.add(1));
        refused(() -> set.contains(1));
        refused(() -> set.remove(1));
        refused(() -> { int x = numbers[0]; });
        refused(() -> numbers[0] = 1);
        refused(() -> { int x = numbers.length; });
        refused(() -> objects[0] = 1);
        refused(() -> numbers.clone());
        refused(() -> System.arraycopy(numbers, 0, numbers, 0, 1));
        refused(() -> Arrays.fill(numbers, 1));
        refused(() -> Arrays.sort(numbers));
        refused(() -> Arrays.copyOf(numbers, 1));
        refused(() -> { if (Arrays.hashCode(numbers) == 0) throw new NullPointerException(); });
        refused(() -> Arrays.asList(objects));
        refused(() -> Arrays.stream(numbers));
        refused(() -> { if (Arrays.equals(numbers, numbers)) throw new NullPointerException(); });
        refused(() -> Arrays.binarySearch(numbers, 1));
        refused(() -> Arrays.copyOfRange(numbers, 0, 1));
        refused(() -> Arrays.setAll(numbers, i -> i));
        refused(() -> field.get(null));
        refused(() -> field.set(null, 1));
        refused(() -> field.getInt(null));
        refused(() -> method.invoke(null));
        refused(() -> { int x = (int) varHandle.getVolatile(); });
        refused(() -> varHandle.set(1));
        refused(() -> type.getDeclaredFields());
        refused(() -> type.newInstance());
        refused(() -> updater.get(other));
        refused(() -> updater.compareAndSet(other, 1, 2));
        refused(() -> bitSet.set(1));
    }

    private static void part6() {
        refused(() -> random.nextInt());
        refused(() -> calendar.get(1));
        refused(() -> dateFormat.format(new Date()));
        refused(() -> counted += other.own);
        refused(() -> other.own = 1);
        refused(() -> other.locked());
        refused(() -> vector.add(1));
        refused(() -> vector.get(0));
        refused(() -> hashtable.put(1, 1));
        refused(() -> referenceQueue.remove());
        refused(() -> referenceQueue.poll());
        refused(() -> publisher.submit(1));
        refused(() -> properties.getProperty("x"));
        refused(() -> matcher.find());
        refused(() -> buffer.get());
        refused(() -> buffer.put((byte) 1));
        refused(() -> digest.update((byte) 1));
        refused(() -> collection.add(1));
        refused(() -> collection.removeIf(x -> true));
        refused(() -> copyOnWriteList.add(1));
        refused(() -> copyOnWriteList.addIfAbsent(1));
        refused(() -> { LockSupport.unpark(thread); throw new NullPointerException(); });
        refused(() -> Collections.sort((List) null));
        refused(() -> Collections.synchronizedList(null));
        refused(() -> Collections.unmodifiableList(null));
        refused(() -> Collections.shuffle(null));
        refused(() -> Collections.addAll(null, 1));
        refused(() -> ForkJoinTask.invokeAll((ForkJoinTask<?>) null, null));
        refused(() -> ((ForkJoinTask<?>) null).fork());
        refused(() -> ((ForkJoinTask<?>) null).join());
        refused(() -> other.new Inner());
        refused(() -> MethodHandles.lookup().defineHiddenClass(null, true));
        refused(() -> MethodHandles.lookup().defineClass(null));
    }
}
