/* See pool.h. Tasks are handed out under a lock, so a thread that wakes up late finds none rather than one of another call. */
#include "pool.h"

#include <stdatomic.h>

#include "pool_threads.h"

enum { MOST_THREADS = 63 };
/** How often a thread looks for more before it sleeps: for tens of microseconds, so that calls in quick succession need not wake it. */
enum { LOOKS = 1 << 10 };

static struct {
  lock access;
  condition more;
  thread threads[MOST_THREADS];
  size_t count, environments;
  int is_busy, is_ending;
  void (*task)(void* data, size_t index);
  void* data;
  size_t tasks, next;
  /** The calls so far, and the tasks of this one that have not ended. */
  atomic_size_t calls, left;
} pool = {.access = LOCK, .more = CONDITION};

/** Does a task that nobody has begun; 0 if there is none. */
static int do_task(void) {
  void (*task)(void*, size_t) = NULL;
  void* data = NULL;
  size_t index = 0;
  take(&pool.access);
  if (pool.next < pool.tasks) {
    index = pool.next++;
    task = pool.task;
    data = pool.data;
  }
  release(&pool.access);
  if (task == NULL) return 0;
  task(data, index);
  atomic_fetch_sub(&pool.left, 1);
  return 1;
}

static void work(void) {
  for (;;) {
    size_t seen = atomic_load(&pool.calls);
    int look, is_ending;
    while (do_task()) {}
    for (look = 0; look < LOOKS && atomic_load(&pool.calls) == seen; look++) rest();
    take(&pool.access);
    while (atomic_load(&pool.calls) == seen && !pool.is_ending) await(&pool.more, &pool.access);
    is_ending = pool.is_ending;
    release(&pool.access);
    if (is_ending) return;
  }
}

THREAD_FUNCTION(work)

void pool_run(void* context, size_t tasks, void (*task)(void* data, size_t index), void* data) {
  size_t index;
  int is_mine;
  (void)context;
  take(&pool.access);
  is_mine = !pool.is_busy && !pool.is_ending;
  if (is_mine) {
    pool.is_busy = 1;
    while (pool.count + 1 < tasks && pool.count < MOST_THREADS && start(&pool.threads[pool.count], ENTRY(work))) pool.count++;
    pool.task = task;
    pool.data = data;
    pool.tasks = tasks;
    pool.next = 0;
    atomic_store(&pool.left, tasks);
    atomic_fetch_add(&pool.calls, 1);
    wake(&pool.more);
  }
  release(&pool.access);
  if (!is_mine) {
    for (index = 0; index < tasks; index++) task(data, index);
    return;
  }
  while (do_task()) {}
  for (index = 0; atomic_load(&pool.left) > 0; index++) {
    if (index < LOOKS) rest();
    else yield();
  }
  take(&pool.access);
  pool.is_busy = 0;
  release(&pool.access);
}

void pool_enter(void) {
  take(&pool.access);
  pool.environments++;
  release(&pool.access);
}

void pool_leave(void* unused) {
  int is_last;
  (void)unused;
  take(&pool.access);
  /* Environments that come and go while the threads end leave these to the one that ends them. */
  is_last = --pool.environments == 0 && !pool.is_ending;
  if (is_last) {
    pool.is_ending = 1;
    wake(&pool.more);
  }
  release(&pool.access);
  if (!is_last) return;
  while (pool.count > 0) join(pool.threads[--pool.count]);
  take(&pool.access);
  pool.is_ending = 0;
  release(&pool.access);
}
