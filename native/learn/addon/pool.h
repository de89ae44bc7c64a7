/* Threads that do the tasks of calls, for `run` of mmptx_learn_workers. They start when they are needed first, and wait for more. */
#ifndef MMPTX_LEARN_POOL_H
#define MMPTX_LEARN_POOL_H

#include <stddef.h>

/** Does the tasks on the calling thread and on up to `tasks - 1` others; on the calling thread alone while another one uses the pool. */
void pool_run(void* context, size_t tasks, void (*task)(void* data, size_t index), void* data);
/** An environment that may use the pool. When the last one is gone, all threads have ended. */
void pool_enter(void);
void pool_leave(void* unused);

#endif
