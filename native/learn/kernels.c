/* What is computed with vectors, for one instruction set: MMPTX_LEARN_ISA, whose vectors have WIDE lanes, or plain C if MMPTX_VECTORS is 0.
 * mmptx_learn.c includes this file once for each. Macros of compilers such as __AVX2__ do not say which one it is. */
#include "kernels.h"

#define VEC wide
#define VLANES WIDE
#define V(name) wide_##name
#include "lanes.h"
#include "mlp_lanes.h"
#include "dense_lanes.h"
#include "linear_lanes.h"
#undef VEC
#undef VLANES
#undef V
#define VEC quad
#define VLANES 4
#define V(name) quad_##name
#include "lanes.h"
#include "mlp_lanes.h"
#include "dense_lanes.h"
#include "linear_lanes.h"
#undef VEC
#undef VLANES
#undef V

#include "kernels_dense.h"
#include "kernels_linear.h"
#include "kernels_mlp.h"
#include "kernels_neighbours.h"
#include "kernels_pca.h"
#include "kernels_predict.h"
#include "kernels_trees.h"

/** Anything that is not finite makes a sum of products with zero a NaN. */
static int are_finite(const float* values, size_t count) {
  wide sums[4];
  float lanes[WIDE];
  const wide zero = wide_splat(0);
  size_t index = 0;
  int part;
  for (part = 0; part < 4; part++) sums[part] = zero;
  for (; index + 4 * WIDE <= count; index += 4 * WIDE) {
    for (part = 0; part < 4; part++)
      sums[part] = wide_add(sums[part], wide_mul(wide_load(values + index + (size_t)part * WIDE), zero));
  }
  wide_store(lanes, wide_add(wide_add(sums[0], sums[1]), wide_add(sums[2], sums[3])));
  for (; index < count; index++) lanes[0] += values[index] * 0.0f;
  for (part = 1; part < WIDE; part++) lanes[0] += lanes[part];
  return lanes[0] == 0.0f;
}

static void scale_row(const double* scaling, const float* from, size_t columns, float* to) {
  size_t column;
  for (column = 0; column < columns; column++) {
    const double deviation = scaling[2 * column + 1];
    double value = ((double)from[column] - scaling[2 * column]) / deviation;
    value = value > SCALED_LIMIT ? SCALED_LIMIT : value;
    value = value < -SCALED_LIMIT ? -SCALED_LIMIT : value;
    to[column] = deviation == 0 ? 0.0f : (float)value;
  }
}

static const struct kernels NAME(kernels) = {
    TEXT(MMPTX_LEARN_ISA), are_finite,     scale_row,      trees_bin,   trees_grow, trees_predict, linear_update, linear_sum,
    linear_add, linear_decompose,      linear_solve,   linear_predict, mlp_forward, mlp_backward, mlp_adam, pca_add, pca_multiply, neighbours_find,
};

#undef MMPTX_LEARN_ISA
#undef MMPTX_VECTORS
#undef WIDE
