/* The passes of a linear model; src/linear/javascript.ts of the package is the same in TypeScript. Vectors go across features or rows,
 * never across what is summed up, except in `linear_solve`, whose four sums are part of the definition. Part of kernels.c. */

/** Vectors for a block of rows. */
enum { BLOCK_VECTORS = LINEAR_BLOCK / WIDE };

/** Adds the vector's outer product to the product of the factor and its transpose, by Givens rotations. */
static void linear_rotate(const struct linear* model) {
  size_t features = model->config->features;
  size_t height = model->height;
  float* vector = model->vector;
  size_t k;
  for (k = 0; k <= features; k++) {
    float x = vector[k];
    float* column = model->factor + k * height;
    float diagonal = column[k];
    float length, cosine, sine;
    size_t row;
    if (x == 0) continue;
    length = sqrtf(diagonal * diagonal + x * x);
    /* A vector whose square is too small to be one changes nothing. */
    if (length == 0) continue;
    cosine = diagonal / length;
    sine = x / length;
    column[k] = length;
    for (row = k + 1; row < height && row % 4 != 0; row++) {
      float old = column[row];
      float value = vector[row];
      column[row] = cosine * old + sine * value;
      vector[row] = cosine * value - sine * old;
    }
    quad_rotate(column, vector, cosine, sine, wide_rotate(column, vector, cosine, sine, row, height), height);
  }
}

static void linear_update(const struct linear* model, float label) {
  size_t columns = model->config->columns;
  affine(model->input, columns, columns, model->projection, model->offsets, model->vector, model->height, 1);
  apply_relu(model->vector, model->height);
  model->vector[model->config->features] = label;
  linear_rotate(model);
}

static void linear_sum(const struct linear* model, size_t rows) {
  size_t columns = model->config->columns;
  size_t features = model->config->features;
  size_t height = model->height;
  float* all = model->batch_features;
  size_t row;
  affine(model->batch, columns, columns, model->projection, model->offsets, all, height, rows);
  apply_relu(all, rows * height);
  for (row = 0; row < rows; row++) all[row * height + features] = model->labels[row];
  sum_products(all, height, features + 1, all, height, rows, model->products, 1, 0);
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
