/* What is computed with vectors. kernels.c is compiled once for each instruction set, and isa.c chooses the functions at run time. */
#ifndef MMPTX_LEARN_KERNELS_H
#define MMPTX_LEARN_KERNELS_H

#include "linear.h"
#include "mlp.h"
#include "neighbours.h"
#include "pca.h"
#include "trees.h"

/** What becomes of the results of a product: nothing, an activation, or their product with the slope of one, whose values are given. */
enum finish { FINISH_NOT, FINISH_RELU, FINISH_TANH, FINISH_RELU_SLOPE, FINISH_TANH_SLOPE };

/**
 * Output o, column c below `width`: the bias of c, plus the sum over all terms t of `from[o * apart + t * step]` times term t's value of c in
 * `others`. With `half`, columns that come before their output need not be written; with `more`, the sums continue those in `to`.
 */
struct product {
  const float* from;
  size_t apart, step, outputs, terms;
  const float* others;
  const float* biases;
  float* to;
  size_t stride, width;
  int half, more;
  enum finish finish;
  const float* values;
};

/** A Givens rotation. */
struct rotation {
  float cosine, sine, length;
};

struct kernels {
  const char* name;
  int (*all_finite)(const float* values, size_t count);
  /** Scales a row as `scaled` does each value. */
  void (*scale_row)(const double* scaling, const float* from, size_t columns, float* to);
  /** Sorts `keys`, chooses the edges of a column and puts its values, which are in the room for entries, into bins. */
  void (*trees_bin)(const struct trees* model, size_t column, size_t count);
  /** Grows all trees from the residuals; the split of a node is then a bin, `column * bins + bin`. */
  void (*trees_grow)(const struct trees* model, size_t count);
  /** The scores of rows, given the numbers of a fitted model. */
  void (*trees_predict)(const struct trees* model, const float* rows, size_t count, const double* state, float* scores);
  /** Learns the scaled row in `input`. */
  void (*linear_update)(const struct linear* model, float label);
  /** Computes the products of the features and labels of the first rows of a batch. */
  void (*linear_sum)(const struct linear* model, size_t rows);
  /** Adds these to columns of the factor, which is a covariance then, from `first` up to `end`. */
  void (*linear_add)(const struct linear* model, size_t first, size_t end);
  /** Replaces a covariance by its Cholesky factor; returns 0 if a pivot is too small. */
  int (*linear_decompose)(const struct linear* model);
  void (*linear_solve)(const struct linear* model);
  /** The means of a block, and the squared spreads if they are asked for. */
  void (*linear_predict)(const struct linear* model, int with_spreads);
  /** The outputs of the rows of the input, up to MLP_ROWS of them. */
  void (*mlp_forward)(const struct mlp* model, size_t rows);
  /** The gradients of the same rows, given the errors of their outputs; `more` to add them to those of the rows before. */
  void (*mlp_backward)(const struct mlp* model, size_t rows, int more);
  void (*mlp_adam)(const struct mlp* model, float rate);
  /** Adds up to PCA_BLOCK rows to the sums. */
  void (*pca_add)(const struct pca* model, const float* rows, size_t count);
  /** The sum of rows of f64, each times its factor. */
  void (*pca_multiply)(const double* factors, size_t terms, const double* rows, size_t stride, double* to);
  /** Finds the neighbours of up to QUERIES queries. */
  void (*neighbours_find)(const struct neighbours* model, size_t queries, size_t count);
};

/** The functions in use. */
static const struct kernels* kernels(void);

#endif
