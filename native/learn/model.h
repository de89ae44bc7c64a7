/* What the models have in common: the parts of their memory, scaling, random numbers and the format of saved models. The parts lie in
 * memory as packages/learn/src/<model>/layout.ts says, after a head of HEAD_BYTES. */
#ifndef MMPTX_LEARN_MODEL_H
#define MMPTX_LEARN_MODEL_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "head.h"

/* With 16, GCC says that it rounds operations on f16 to f16. */
#if defined(__FAST_MATH__) || (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16)
#error "expected IEEE arithmetic that rounds each operation to its type"
#endif

/** The next multiple of 4. */
static inline size_t rounded(size_t count) { return (count + 3) / 4 * 4; }

/** Adds up the parts of a model from `bytes` on; each begins at a multiple of 64. Offsets are from the beginning of memory. */
static inline size_t add_part(size_t* bytes, size_t count, size_t size) {
  size_t offset = *bytes;
  *bytes += (count * size + 63) / 64 * 64;
  return offset;
}

/** Adds a part for a pointer to memory that is at `base`, or its bytes alone if that is null; `at` counts these. */
#define PLACE(pointer, count, type)                      \
  do {                                                   \
    size_t offset = add_part(&at, count, sizeof(type));  \
    if (base != NULL) (pointer) = (type*)(base + offset); \
  } while (0)
/** The same for a part of the model `here`. */
#define PART(field, count, type) PLACE(here.field, count, type)

/** Clears memory and writes the head of a model. */
static int begin_model(void* memory, size_t bytes, enum kind kind, size_t needed);
/** MMPTX_LEARN_NULL or MMPTX_LEARN_NO_MODEL unless there is a model of this kind. */
static int check_model(const void* memory, enum kind kind);
static inline struct head* head_of(const void* memory) { return (struct head*)memory; }

/* Threads of the caller. A worker has parts of its own for what a model computes with; where a model has these, its memory has them for one. */
static size_t trees_worker_bytes(const mmptx_learn_trees_config* config);
static size_t linear_worker_bytes(const mmptx_learn_linear_config* config);
static size_t mlp_worker_bytes(const mmptx_learn_mlp_config* config);
static size_t neighbours_worker_bytes(const mmptx_learn_neighbours_config* config);
/** MMPTX_LEARN_MEMORY or MMPTX_LEARN_SHAPE unless there is room for all workers; null is fine. */
static int check_workers(const mmptx_learn_workers* workers, const void* memory);
/** How many tasks to divide rows into, with at least `least` rows each. */
static size_t tasks_of(const mmptx_learn_workers* workers, size_t count, size_t least);
/** The memory of the worker that does a task; null for the first, which has the model's own. */
static char* worker_memory(const mmptx_learn_workers* workers, size_t index, size_t bytes);
/** Rows are divided in blocks of these. */
enum { DIVISION = 64 };
/** What does the rows from `first` up to `end`, in the memory of a worker. */
typedef void (*range_task)(void* data, char* memory, size_t first, size_t end);
/** Divides `count` rows into tasks of at least `least` rows. */
static void divide(const mmptx_learn_workers* workers, size_t count, size_t least, size_t bytes, range_task task, void* data);

/** Whether all numbers are finite. */
static int all_finite(const float* values, size_t count);
/** Checks the rows of a call; a count of 0 is refused if `least` is 1. */
static int check_values(const float* rows, size_t count, size_t columns, size_t least);
static int check_rows(const mmptx_learn_rows* rows, size_t columns, size_t most);
/** The place of the row of an age. */
static inline size_t place_of(const mmptx_learn_rows* rows, size_t age) {
  size_t place = rows->first + age;
  size_t capacity = rows->capacity == 0 ? rows->count : rows->capacity;
  return place >= capacity ? place - capacity : place;
}

/** A prediction as f32, which is finite; `otherwise` in place of a NaN. */
static inline float finite_score(double value, double otherwise) {
  if (value != value) value = otherwise;
  if (value > FLT_MAX) value = FLT_MAX;
  if (value < -FLT_MAX) value = -FLT_MAX;
  return (float)value;
}

/* Means and deviations of columns, two f64 each, as packages/learn/src/model/scaling.ts has them. */
#define SCALED_LIMIT 5.0
/** The mean and the deviation of values at `values[place * stride]`, from the oldest to the youngest row. */
static void measure_columns(double* statistics, const mmptx_learn_rows* rows, const float* values, size_t stride, size_t columns);
/** The same for scaling: a deviation is 0 where its inverse is not finite. */
static void freeze_scaling(double* scaling, const mmptx_learn_rows* rows, const float* values, size_t stride, size_t columns);
/** No mean and no deviation of values of f32 is larger: 2^128. */
#define MOST_STATISTIC 3.4028236692093846e38
static inline float scaled(const double* scaling, double value) {
  double result;
  if (scaling[1] == 0) return 0;
  result = (value - scaling[0]) / scaling[1];
  if (result > SCALED_LIMIT) result = SCALED_LIMIT;
  if (result < -SCALED_LIMIT) result = -SCALED_LIMIT;
  return (float)result;
}

/* Random numbers by seed and index, as packages/learn/src/random.ts has them. */
static uint32_t word_at(uint32_t seed, uint32_t index);
static uint32_t below(uint32_t seed, double index, uint32_t bound);
static double normal_at(uint32_t seed, uint32_t index);

/* Saved models, as packages/learn/src/model/format.ts has them: words in little-endian order. */
struct writer {
  unsigned char* to;
  size_t bytes;
};
static size_t saved_bytes(size_t numbers, size_t words);
/** Begins a saved model; MMPTX_LEARN_MEMORY if there are not exactly as many bytes as it needs. */
static int begin_saved(struct writer* writer, void* saved, size_t bytes, enum kind kind, size_t numbers, size_t words);
static void put_number(struct writer* writer, double number);
static void put_words(struct writer* writer, const void* words, size_t count);
/** Writes the checksum. */
static void end_saved(void* saved, size_t bytes);

struct reader {
  const unsigned char* from;
  size_t left;
  uint32_t numbers;
};
/** Checks the head and the checksum. */
static int begin_reader(struct reader* reader, const void* saved, size_t bytes, enum kind kind);
static double get_number(struct reader* reader);
/** A whole number; sets `*bad` if it is not from `least` to `most`. */
static double get_whole(struct reader* reader, double least, double most, int* bad);
static double get_between(struct reader* reader, double least, double most, int* bad);
/** Means and deviations of columns. */
static void get_statistics(struct reader* reader, double* scaling, size_t columns, int* bad);
/** MMPTX_LEARN_BAD_MODEL if fewer words are left. */
static int get_words(struct reader* reader, void* words, size_t count);
/** The most rows, steps or batches that a saved model has learned: 2^52. */
#define MOST_LEARNED 4503599627370496.0

#endif
