/* Threads, locks and conditions of POSIX or of Windows. */
#ifndef MMPTX_LEARN_POOL_THREADS_H
#define MMPTX_LEARN_POOL_THREADS_H

#if defined(_WIN32)
#include <windows.h>

typedef HANDLE thread;
typedef SRWLOCK lock;
typedef CONDITION_VARIABLE condition;
#define LOCK SRWLOCK_INIT
#define CONDITION CONDITION_VARIABLE_INIT
/** Defines what a thread begins with, from a function without parameters. */
#define THREAD_FUNCTION(function) \
  static DWORD WINAPI function##_entry(LPVOID unused) { \
    (void)unused; \
    function(); \
    return 0; \
  }
static inline int start(thread* one, LPTHREAD_START_ROUTINE entry) { return (*one = CreateThread(NULL, 0, entry, NULL, 0, NULL)) != NULL; }
static inline void join(thread one) {
  WaitForSingleObject(one, INFINITE);
  CloseHandle(one);
}
static inline void take(lock* one) { AcquireSRWLockExclusive(one); }
static inline void release(lock* one) { ReleaseSRWLockExclusive(one); }
static inline void await(condition* one, lock* held) { SleepConditionVariableSRW(one, held, INFINITE, 0); }
static inline void wake(condition* one) { WakeAllConditionVariable(one); }
static inline void yield(void) { SwitchToThread(); }
#else
#include <pthread.h>
#include <sched.h>

typedef pthread_t thread;
typedef pthread_mutex_t lock;
typedef pthread_cond_t condition;
#define LOCK PTHREAD_MUTEX_INITIALIZER
#define CONDITION PTHREAD_COND_INITIALIZER
/** Defines what a thread begins with, from a function without parameters. */
#define THREAD_FUNCTION(function) \
  static void* function##_entry(void* unused) { \
    (void)unused; \
    function(); \
    return NULL; \
  }
static inline int start(thread* one, void* (*entry)(void*)) { return pthread_create(one, NULL, entry, NULL) == 0; }
static inline void join(thread one) { pthread_join(one, NULL); }
static inline void take(lock* one) { pthread_mutex_lock(one); }
static inline void release(lock* one) { pthread_mutex_unlock(one); }
static inline void await(condition* one, lock* held) { pthread_cond_wait(one, held); }
static inline void wake(condition* one) { pthread_cond_broadcast(one); }
static inline void yield(void) { sched_yield(); }
#endif
#define ENTRY(function) function##_entry

/** Lets the other thread of a core go on. */
static inline void rest(void) {
#if defined(__x86_64__) || defined(_M_X64)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif
