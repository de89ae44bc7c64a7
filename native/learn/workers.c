/* Calls that divide their rows among threads of the caller. model.h says what each function does. */
#include "model.h"

enum { MOST_WORKERS = 64 };

size_t mmptx_learn_worker_bytes(enum kind kind, const union config* config) {
  switch (kind) {
    case KIND_TREES: return trees_worker_bytes(&config->trees);
    case KIND_LINEAR: return linear_worker_bytes(&config->linear);
    case KIND_MLP: return mlp_worker_bytes(&config->mlp);
    case KIND_NEIGHBOURS: return neighbours_worker_bytes(&config->neighbours);
    default: return 0;
  }
}

size_t mmptx_learn_workers_bytes(const void* model, size_t count) {
  const struct head* head = model;
  if (model == NULL || (uintptr_t)model % 8 != 0 || head->magic != HEAD_MAGIC || count < 1) return 0;
  return (count - 1) * mmptx_learn_worker_bytes((enum kind)head->kind, &head->config);
}

static int check_workers(const mmptx_learn_workers* workers, const void* memory) {
  if (workers == NULL || workers->count == 1) return MMPTX_LEARN_OK;
  if (workers->count < 1 || workers->count > MOST_WORKERS) return MMPTX_LEARN_SHAPE;
  if (workers->memory == NULL || workers->run == NULL) return MMPTX_LEARN_NULL;
  if ((uintptr_t)workers->memory % 8 != 0 || workers->bytes < mmptx_learn_workers_bytes(memory, workers->count))
    return MMPTX_LEARN_MEMORY;
  return MMPTX_LEARN_OK;
}

static size_t tasks_of(const mmptx_learn_workers* workers, size_t count, size_t least) {
  size_t tasks = count / least;
  if (workers == NULL || tasks < 2) return 1;
  return tasks < workers->count ? tasks : workers->count;
}

static char* worker_memory(const mmptx_learn_workers* workers, size_t index, size_t bytes) {
  return index == 0 ? NULL : (char*)workers->memory + (index - 1) * bytes;
}

struct division {
  const mmptx_learn_workers* workers;
  size_t count, tasks, bytes;
  range_task task;
  void* data;
};

static void do_range(void* data, size_t index) {
  const struct division* division = data;
  size_t blocks = (division->count + DIVISION - 1) / DIVISION;
  size_t first = blocks * index / division->tasks * DIVISION;
  size_t end = blocks * (index + 1) / division->tasks * DIVISION;
  if (end > division->count) end = division->count;
  division->task(division->data, worker_memory(division->workers, index, division->bytes), first, end);
}

static void divide(const mmptx_learn_workers* workers, size_t count, size_t least, size_t bytes, range_task task, void* data) {
  struct division division;
  division.workers = workers;
  division.count = count;
  division.tasks = tasks_of(workers, count, least);
  division.bytes = bytes;
  division.task = task;
  division.data = data;
  if (division.tasks == 1) task(data, NULL, 0, count);
  else workers->run(workers->context, division.tasks, do_range, &division);
}
