/* The passes of a linear model; src/linear/javascript.ts of the package is the same in TypeScript. Vectors go across features or rows,
 * never across what is summed up, except in `linear_solve`, whose four sums are part of the definition. Part of kernels.c. */

/** Vectors for a block of rows. */
enum { BLOCK_VECTORS = LINEAR_BLOCK / WIDE };

/** The rotation that makes x 0; its length is 0 if there is nothing to rotate, as with a vector whose square is too small to be a number. */
LANES_INLINE struct rotation rotation_of(float diagonal, float x) {
  struct rotation rotation;
  rotation.length = x == 0 ? 0 : sqrtf(diagonal * diagonal + x * x);
  rotation.cosine = diagonal / rotation.length;
  rotation.sine = x / rotation.length;
  return rotation;
}

/**
 * Adds the vector's outer product to the product of the factor and its transpose, by Givens rotations. Each waits for the one before, whose
 * other rows are rotated only after it has begun.
 */
static void linear_rotate(const struct linear* model) {
  const size_t features = model->config->features;
  const size_t height = model->height;
  /* Vectors begin at the same rows for all columns: what a store is about to write can be loaded only as a whole. */
  const size_t wide_end = height & ~(size_t)(WIDE - 1);
  float* vector = model->vector;
  float* column = model->factor;
  struct rotation next = rotation_of(column[0], vector[0]);
  size_t k;
  for (k = 0; k <= features; k++, column += height) {
    const struct rotation rotation = next;
    const int rotates = rotation.length != 0;
    size_t at = (k + 1) & ~(size_t)(WIDE - 1);
    if (k < features) {
      const float value = vector[k + 1];
      next = rotation_of(column[height + k + 1], rotates ? rotation.cosine * value - rotation.sine * column[k + 1] : value);
    }
    if (!rotates) continue;
    if (at < wide_end) at = wide_rotate(column, vector, rotation.cosine, rotation.sine, at, k + 1, height);
    else at = (k + 1) & ~(size_t)3;
    quad_rotate(column, vector, rotation.cosine, rotation.sine, at, k + 1, height);
    /* After the vector that it is part of. */
    column[k] = rotation.length;
  }
}

static void linear_update(const struct linear* model, float label) {
  size_t columns = model->config->columns;
  affine(model->input, columns, columns, model->projection, model->offsets, model->vector, model->height, model->height, 1, FINISH_RELU, NULL);
  model->vector[model->config->features] = label;
  linear_rotate(model);
}

static void linear_sum(const struct linear* model, size_t rows) {
  const size_t columns = model->config->columns;
  const size_t features = model->config->features;
  const size_t height = model->height;
  /* The label is the last column; vectors for the others are no use for it. */
  const size_t width = (features + 3) & ~(size_t)3;
  float* all = model->batch_features;
  size_t row, column;
  affine(model->batch, columns, columns, model->projection, model->offsets, all, height, width, rows, FINISH_RELU, NULL);
  for (row = 0; row < rows; row++) all[row * height + features] = model->labels[row];
  sum_products(all, height, features, all, height, width, rows, model->products, 1, 0);
  weigh_rows(all, height, features + 1, rows, model->labels, 1, model->products + features, height, 0);
  for (column = features + 1; column < height; column++) {
    for (row = 0; row <= features; row++) model->products[row * height + column] = 0;
  }
}

static void linear_add(const struct linear* model, size_t first, size_t end) {
  const size_t height = model->height;
  size_t index;
  for (; first < end; first++) {
    float* to = model->factor + first * height;
    const float* from = model->products + first * height;
    for (index = first & ~(size_t)3; index < height; index++) to[index] += from[index];
  }
}

static int linear_decompose(const struct linear* model) {
  size_t features = model->config->features;
  size_t height = model->height;
  size_t column, row;
  for (column = 0; column <= features; column++) {
    float* entries = model->factor + column * height;
    float before = entries[column];
    /* What is above the diagonal does not count. */
    size_t at = wide_reduce(model->factor, entries, column, height, column, column & ~(size_t)3);
    float pivot, root;
    quad_reduce(model->factor, entries, column, height, column, at);
    pivot = entries[column];
    if (column < features && !(pivot > before * LEAST_PIVOT)) return 0;
    root = sqrtf(pivot > 0 ? pivot : 0);
    memset(entries, 0, column * sizeof *entries);
    entries[column] = root;
    for (row = column + 1; row <= features; row++) entries[row] /= root;
  }
  return 1;
}

static void linear_solve(const struct linear* model) {
  size_t features = model->config->features;
  size_t height = model->height;
  float* weights = model->weights;
  size_t k, row;
  memset(weights, 0, height * sizeof *weights);
  for (k = features; k-- > 0;) {
    const float* column = model->factor + k * height;
    float right = column[features];
    quad sums = quad_splat(0);
    float lanes[4];
    /* The weights up to k and after the last are 0, so whole vectors can be multiplied. */
    for (row = (k + 1) & ~(size_t)3; row < features; row += 4)
      sums = quad_add(sums, quad_mul(quad_load(column + row), quad_load(weights + row)));
    quad_store(lanes, sums);
    weights[k] = (right - ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))) / column[k];
  }
}

/** The squared lengths of the features, solved by the factor. */
static void linear_spread(const struct linear* model) {
  size_t features = model->config->features;
  size_t k, next, part;
  wide squares[BLOCK_VECTORS];
  for (part = 0; part < BLOCK_VECTORS; part++) squares[part] = wide_splat(0);
  for (k = 0; k < features; k++) {
    const float* column = model->factor + k * model->height;
    const wide diagonal = wide_splat(column[k]);
    float* from = model->block_features + k * LINEAR_BLOCK;
    wide value[BLOCK_VECTORS];
    for (part = 0; part < BLOCK_VECTORS; part++) {
      value[part] = wide_div(wide_load(from + part * WIDE), diagonal);
      squares[part] = wide_add(squares[part], wide_mul(value[part], value[part]));
    }
    for (next = k + 1; next < features; next++) {
      const wide entry = wide_splat(column[next]);
      float* to = model->block_features + next * LINEAR_BLOCK;
      for (part = 0; part < BLOCK_VECTORS; part++)
        wide_store(to + part * WIDE, wide_sub(wide_load(to + part * WIDE), wide_mul(entry, value[part])));
    }
  }
  for (part = 0; part < BLOCK_VECTORS; part++) wide_store(model->spreads + part * WIDE, squares[part]);
}

static void linear_predict(const struct linear* model, int with_spreads) {
  size_t features = model->config->features;
  size_t columns = model->config->columns;
  size_t feature, column, part;
  wide mean[BLOCK_VECTORS];
  for (part = 0; part < BLOCK_VECTORS; part++) mean[part] = wide_splat(0);
  for (feature = 0; feature < features; feature++) {
    const float* row = model->block;
    const float* factors = model->projection + feature;
    const wide weight = wide_splat(model->weights[feature]);
    wide sum[BLOCK_VECTORS];
    for (part = 0; part < BLOCK_VECTORS; part++) sum[part] = wide_splat(model->offsets[feature]);
    for (column = 0; column < columns; column++, row += LINEAR_BLOCK, factors += model->height) {
      const wide factor = wide_splat(*factors);
      for (part = 0; part < BLOCK_VECTORS; part++) sum[part] = wide_add(sum[part], wide_mul(wide_load(row + part * WIDE), factor));
    }
    for (part = 0; part < BLOCK_VECTORS; part++) {
      sum[part] = wide_positive(sum[part]);
      wide_store(model->block_features + feature * LINEAR_BLOCK + part * WIDE, sum[part]);
      mean[part] = wide_add(mean[part], wide_mul(sum[part], weight));
    }
  }
  for (part = 0; part < BLOCK_VECTORS; part++) wide_store(model->means + part * WIDE, mean[part]);
  if (with_spreads) linear_spread(model);
}
