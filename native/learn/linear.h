/* The memory of a linear model; packages/learn/src/linear/layout.ts describes the parts. */
#ifndef MMPTX_LEARN_LINEAR_H
#define MMPTX_LEARN_LINEAR_H

#include "model.h"

/** The rows that are predicted at once, and those that are fitted to at once. */
enum { LINEAR_BLOCK = 16, LINEAR_BATCH = 64 };
/** A pivot below this share of its diagonal entry is mostly rounding. */
#define LEAST_PIVOT (1.0f / 262144)
/** The limits of factors that were saved; layout.ts says why. */
#define LEAST_DIAGONAL (1.0f / 524288)
#define MOST_ENTRY 1099511627776.0f

struct linear {
  const mmptx_learn_linear_config* config;
  size_t height;
  float* projection;
  float* offsets;
  float* factor;
  float* input;
  float* vector;
  float* batch;
  float* labels;
  float* batch_features;
  float* products;
  float* weights;
  float* block;
  float* block_features;
  float* means;
  float* spreads;
  double* scaling;
  float* held;
};

#endif
