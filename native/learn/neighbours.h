/* The memory of nearest neighbours; packages/learn/src/neighbours/layout.ts describes the parts that the other backends have as well. */
#ifndef MMPTX_LEARN_NEIGHBOURS_H
#define MMPTX_LEARN_NEIGHBOURS_H

#include "model.h"

/** Rows are compared by 16, with as many queries at once. */
enum { NEIGHBOURS_BLOCK = 16, QUERIES = 4 };
/** Values are limited to this, and squared distances to the largest f32, so that all of them are finite. */
#define MOST_VALUE 1e18

struct neighbours {
  const mmptx_learn_neighbours_config* config;
  /** The scaled rows from the oldest to the youngest, in blocks, column by column; and their labels. */
  float* rows;
  float* labels;
  /** For each column, its mean and the inverse of its deviation. */
  double* statistics;
  /** For each query, its scaled values, and the squared distances and the ages of its neighbours in ascending order: those of each
   *  query `neighbours_stride` apart, and before the first ones room for a vector. */
  float* queries;
  float* nearest;
  uint32_t* ages;
};

/** The room for the neighbours of a query: whole vectors, and one before them. */
static inline size_t neighbours_stride(size_t k) { return NEIGHBOURS_BLOCK + (k + NEIGHBOURS_BLOCK - 1) / NEIGHBOURS_BLOCK * NEIGHBOURS_BLOCK; }

#endif
