/* The head of a model's memory, which the addon reads as well. */
#ifndef MMPTX_LEARN_HEAD_H
#define MMPTX_LEARN_HEAD_H

#include "mmptx_learn.h"

enum kind { KIND_TREES = 1, KIND_LINEAR = 2, KIND_PCA = 3, KIND_MLP = 4, KIND_NEIGHBOURS = 5 };

/** Numbers of a model that change; the addon reads and writes them. */
enum { STATE_NUMBERS = 8 };
enum { TREES_MEAN, TREES_UNIT, TREES_LEARNED, TREES_SPLITS };
enum { LINEAR_LEARNED, LINEAR_HELD, LINEAR_SOLVED };
enum { MLP_STEPS, MLP_DRAWN, MLP_FIRST_POWER, MLP_SECOND_POWER };
enum { PCA_COUNT, PCA_VERSION, PCA_TOTAL };
/** Where the addon writes the error of a step. */
enum { MLP_ERROR = MLP_SECOND_POWER + 1 };
enum { NEIGHBOURS_COUNT };

union config {
  mmptx_learn_trees_config trees;
  mmptx_learn_linear_config linear;
  mmptx_learn_mlp_config mlp;
  mmptx_learn_pca_config pca;
  mmptx_learn_neighbours_config neighbours;
};

/** The head of a model's memory. */
struct head {
  uint32_t magic;
  uint32_t kind;
  uint64_t bytes;
  double state[STATE_NUMBERS];
  union config config;
};
enum { HEAD_BYTES = 192 };
#define HEAD_MAGIC 0x4e4c6d6du

/** The bytes for a worker of a model. */
size_t mmptx_learn_worker_bytes(enum kind kind, const union config* config);

#endif
