/* The models of @mm-ptx/learn in C99: boosted trees, an online linear model, a perceptron, principal components and nearest
 * neighbours. The caller owns all memory: `*_bytes` says how much a model needs, `*_init` makes one there, and nothing is allocated
 * or freed. Results are those of the JavaScript package to the bit, and models that one saves load in the other.
 * Compile mmptx_learn.c with any options that keep IEEE arithmetic, so without -ffast-math. */
#ifndef MMPTX_LEARN_H
#define MMPTX_LEARN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a call returns. If it is not MMPTX_LEARN_OK, nothing was learned or written. */
enum mmptx_learn_status {
  MMPTX_LEARN_OK = 0,
  MMPTX_LEARN_NULL = 1,        /* a pointer is null */
  MMPTX_LEARN_CONFIG = 2,      /* a number of the configuration is out of its range */
  MMPTX_LEARN_MEMORY = 3,      /* fewer bytes than `*_bytes`, or memory that is not aligned to 8 bytes */
  MMPTX_LEARN_NO_MODEL = 4,    /* memory in which `*_init` has made no model of this kind */
  MMPTX_LEARN_SHAPE = 5,       /* no rows, or more than the model or the call takes */
  MMPTX_LEARN_NOT_FINITE = 6,  /* a NaN or an infinity in a row or a label */
  MMPTX_LEARN_NOT_FITTED = 7,  /* a prediction or `save` before anything was learned */
  MMPTX_LEARN_DIVERGED = 8,    /* the weights of a perceptron are no longer finite */
  MMPTX_LEARN_BAD_MODEL = 9    /* bytes that are not a saved model of this kind and shape */
};

/** A status in words. */
const char* mmptx_learn_message(int status);

/** The instruction sets that this build has code for and this processor can run, that with the widest vectors first; null after the last. */
const char* mmptx_learn_isa_at(size_t index);
/** The instruction set in use: that which is fastest on this processor, unless another was chosen. All of them compute the same bits. */
const char* mmptx_learn_isa(void);
/** Chooses an instruction set for all models of the process; MMPTX_LEARN_CONFIG if it is not one of `mmptx_learn_isa_at`. */
int mmptx_learn_choose_isa(const char* name);

/** Rows of consecutive values with a label each. Row `age` is at place `(first + age) % capacity`; a capacity of 0 is `count`. */
typedef struct mmptx_learn_rows {
  const float* values;
  const float* labels;
  size_t count;
  size_t capacity;
  size_t first;
} mmptx_learn_rows;

/* --- threads */

/**
 * Threads of the caller, among which a call divides its rows in blocks; the library has none of its own. Results have the same bits for any
 * number, and calls with too few rows use the calling thread alone. So do all that get null.
 */
typedef struct mmptx_learn_workers {
  size_t count; /* 1 to 64 */
  /** Room for what all threads but one need: `mmptx_learn_workers_bytes`, aligned to 8 bytes. */
  void* memory;
  size_t bytes;
  /** Calls `task(data, index)` for each index below `tasks`, which is at most `count`, on any threads, and returns after all of them. */
  void (*run)(void* context, size_t tasks, void (*task)(void* data, size_t index), void* data);
  void* context;
} mmptx_learn_workers;

/** The bytes of `memory` for calls on a model; 0 for memory without a model. */
size_t mmptx_learn_workers_bytes(const void* model, size_t count);

/* --- Trees: gradient boosting */

typedef struct mmptx_learn_trees_config {
  uint32_t columns;    /* 1 to 4,096 */
  uint32_t capacity;   /* the most rows of a fit, 1 to 65,536 */
  uint32_t trees;      /* 1 to 1,024 */
  uint32_t depth;      /* 1 to 4 */
  uint32_t bins;       /* 2 to 256 */
  uint32_t general;    /* 1 for trees whose nodes have splits of their own, 0 for oblivious ones */
  uint32_t best_tenth; /* 1 to predict how likely a row is among the highest tenth of the labels, 0 to predict labels */
  uint32_t all_rows;   /* 1 for trees that learn their splits from all rows, 0 for two trees each that learn them from a half of the rows each */
  double rate;         /* 2^-10 to 1 */
  double lambda;       /* 2^-10 to 2^20 */
} mmptx_learn_trees_config;

/** 100 oblivious trees of depth 4, 32 bins, splits from half of the rows, rate 0.1, lambda 3. */
mmptx_learn_trees_config mmptx_learn_trees_defaults(uint32_t columns, uint32_t capacity);
/** The bytes that a model takes; 0 for a configuration that is out of range. So it is for all kinds of models. */
size_t mmptx_learn_trees_bytes(const mmptx_learn_trees_config* config);
int mmptx_learn_trees_init(void* memory, size_t bytes, const mmptx_learn_trees_config* config);
/** Learns from these rows, and forgets what was learned before. */
int mmptx_learn_trees_fit(void* memory, const mmptx_learn_rows* rows);
int mmptx_learn_trees_predict(void* memory, const float* rows, size_t count, float* scores, const mmptx_learn_workers* workers);
/** The bytes of the saved model; 0 for memory without a fitted model. */
size_t mmptx_learn_trees_saved_bytes(const void* memory);
int mmptx_learn_trees_save(const void* memory, void* saved, size_t bytes);
/** The configuration of a saved model, with a capacity of 1. */
int mmptx_learn_trees_saved_config(const void* saved, size_t bytes, mmptx_learn_trees_config* config);
/** Makes a saved model in memory: like `init`, with `config` from `saved_config` and any capacity. */
int mmptx_learn_trees_load(void* memory, size_t bytes, const mmptx_learn_trees_config* config, const void* saved, size_t saved_bytes);

/* --- Linear: ridge regression on random features, one row at a time */

typedef struct mmptx_learn_linear_config {
  uint32_t columns;  /* 1 to 4,096 */
  uint32_t features; /* 2 to 1,024 */
  uint32_t seed;
  uint32_t warmup;   /* the rows whose statistics scale all rows, 1 to 4,096 */
  double ridge;      /* 2^-20 to 2^20 */
} mmptx_learn_linear_config;

/** 128 features, seed 0, a warm-up of 32 rows, ridge 1. */
mmptx_learn_linear_config mmptx_learn_linear_defaults(uint32_t columns);
size_t mmptx_learn_linear_bytes(const mmptx_learn_linear_config* config);
int mmptx_learn_linear_init(void* memory, size_t bytes, const mmptx_learn_linear_config* config);
int mmptx_learn_linear_update(void* memory, const float* row, double label);
int mmptx_learn_linear_fit(void* memory, const mmptx_learn_rows* rows, const mmptx_learn_workers* workers);
/** `deviations` may be null. */
int mmptx_learn_linear_predict(void* memory, const float* rows, size_t count, float* means, float* deviations,
                               const mmptx_learn_workers* workers);
size_t mmptx_learn_linear_saved_bytes(const void* memory);
int mmptx_learn_linear_save(const void* memory, void* saved, size_t bytes);
int mmptx_learn_linear_saved_config(const void* saved, size_t bytes, mmptx_learn_linear_config* config);
int mmptx_learn_linear_load(void* memory, size_t bytes, const mmptx_learn_linear_config* config, const void* saved, size_t saved_bytes);

/* --- Mlp: a perceptron with one output, trained by Adam */

typedef struct mmptx_learn_mlp_config {
  uint32_t columns;   /* 1 to 4,096 */
  uint32_t hidden[2]; /* the widths of the hidden layers, 1 to 256; the second may be 0 */
  uint32_t relu;      /* 1 for ReLU, 0 for tanh */
  uint32_t batch;     /* the most rows of a step, 1 to 4,096 */
  uint32_t seed;
  double rate;        /* 1e-6 to 0.1 */
} mmptx_learn_mlp_config;

/** Two hidden layers of 64, tanh, batches of 256 rows, seed 0, rate 0.003. */
mmptx_learn_mlp_config mmptx_learn_mlp_defaults(uint32_t columns);
size_t mmptx_learn_mlp_bytes(const mmptx_learn_mlp_config* config);
int mmptx_learn_mlp_init(void* memory, size_t bytes, const mmptx_learn_mlp_config* config);
/** One step on `count` rows; `error`, which may be null, becomes their mean squared error before it. */
int mmptx_learn_mlp_step(void* memory, const float* rows, const float* labels, size_t count, double* error);
/** Steps on batches that are drawn at random. */
int mmptx_learn_mlp_fit(void* memory, const mmptx_learn_rows* rows, size_t steps, double* error);
int mmptx_learn_mlp_predict(void* memory, const float* rows, size_t count, float* scores, const mmptx_learn_workers* workers);
size_t mmptx_learn_mlp_saved_bytes(const void* memory);
int mmptx_learn_mlp_save(const void* memory, void* saved, size_t bytes);
int mmptx_learn_mlp_saved_config(const void* saved, size_t bytes, mmptx_learn_mlp_config* config);
int mmptx_learn_mlp_load(void* memory, size_t bytes, const mmptx_learn_mlp_config* config, const void* saved, size_t saved_bytes);

/* --- Pca: principal components of rows that come in batches */

typedef struct mmptx_learn_pca_config {
  uint32_t columns;    /* 1 to 512 */
  uint32_t components; /* 1 to 32, and not more than columns */
} mmptx_learn_pca_config;

size_t mmptx_learn_pca_bytes(const mmptx_learn_pca_config* config);
int mmptx_learn_pca_init(void* memory, size_t bytes, const mmptx_learn_pca_config* config);
int mmptx_learn_pca_update(void* memory, const float* rows, size_t count);
/** Writes `components` values for each row. */
int mmptx_learn_pca_project(void* memory, const float* rows, size_t count, float* projected);
size_t mmptx_learn_pca_saved_bytes(const void* memory);
int mmptx_learn_pca_save(const void* memory, void* saved, size_t bytes);
int mmptx_learn_pca_saved_config(const void* saved, size_t bytes, mmptx_learn_pca_config* config);
int mmptx_learn_pca_load(void* memory, size_t bytes, const mmptx_learn_pca_config* config, const void* saved, size_t saved_bytes);

/* --- Neighbours: the mean label of the nearest rows, and how far they are */

typedef struct mmptx_learn_neighbours_config {
  uint32_t columns;  /* 1 to 4,096 */
  uint32_t capacity; /* 1 to 65,536 */
  uint32_t k;        /* 1 to 1,024 */
  uint32_t raw;      /* 1 to compare values as they are, 0 to divide each column by its deviation */
} mmptx_learn_neighbours_config;

size_t mmptx_learn_neighbours_bytes(const mmptx_learn_neighbours_config* config);
int mmptx_learn_neighbours_init(void* memory, size_t bytes, const mmptx_learn_neighbours_config* config);
/** Copies rows and labels, which replace those before. */
int mmptx_learn_neighbours_fit(void* memory, const mmptx_learn_rows* rows);
int mmptx_learn_neighbours_predict(void* memory, const float* rows, size_t count, float* means, const mmptx_learn_workers* workers);
/** The mean distance of the neighbours. */
int mmptx_learn_neighbours_novelty(void* memory, const float* rows, size_t count, float* novelty, const mmptx_learn_workers* workers);

#ifdef __cplusplus
}
#endif
#endif
