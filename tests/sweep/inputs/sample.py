from threading import Lock, Thread

total = [0]
lock = Lock()

def add(n):
    for _ in range(100):
        with lock:
            total[0] += n

threads = [Thread(target=add, args=(n,)) for n in range(1, 5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total[0])
print(sum(n * n for n in range(20) if n % 2 == 0))
