/* The memory of boosted trees; packages/learn/src/trees/layout.ts describes the parts. */
#ifndef MMPTX_LEARN_TREES_H
#define MMPTX_LEARN_TREES_H

#include "model.h"

/** The most leaves and levels of a tree, which each tree has room for. */
enum { LEAVES = 16, LEVELS = 4 };
/** The rows of a block of the other backends, and those that they evaluate at once. */
enum { TREES_BLOCK = 256, TREES_LANES = 16 };
/** The most rows that are evaluated at once here. */
enum { TREES_ROWS = 64 };
/** Sort digits of 11 bits. */
enum { DIGITS = 2048 };
enum { MOST_RESIDUAL = 32767 };
/** An entry of a histogram has a count in its upper bits, and below it a sum of residuals. */
enum { COUNT_SHIFT = 33 };
/** The words of 32 rows that a model has at most. */
enum { MOST_WORDS = 2048 };

struct trees {
  const mmptx_learn_trees_config* config;
  uint32_t* keys;
  uint32_t* other_keys;
  uint32_t* digits;
  uint8_t* binned;
  float* edges;
  uint32_t* edge_counts;
  int32_t* residuals;
  int64_t* entries;
  uint32_t* order;
  uint32_t* other_order;
  uint32_t* segments;
  int64_t* histograms;
  uint32_t* slots;
  int64_t* totals;
  double* gains;
  double* reciprocals;
  int32_t* nodes;
  int32_t* columns;
  float* thresholds;
  int16_t* leaves;
  int32_t* split_of_bin;
  /** TREES_ROWS rows, column by column; for each split, in which half each of them is, as a byte; and the sums of their leaves. */
  float* turned;
  uint8_t* masks;
  int32_t* sums;
  /** The bytes of leaves, which are looked up apart. */
  uint8_t* tables;
  /** The nodes of a tree that have splits of their own. */
  size_t tree_nodes;
};

#endif
