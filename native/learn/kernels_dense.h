/* Products of matrices; dense_lanes.h says what each function does. Strides of results are multiples of 4. Part of kernels.c. */

/** Sums of inputs times weights, plus the biases, for each row, in `width` columns; `values` are what a slope is computed from. */
static void affine(const float* from, size_t from_stride, size_t inputs, const float* weights, const float* biases, float* to,
                   size_t stride, size_t width, size_t rows, enum finish finish, const float* values) {
  const struct product product = {from, from_stride, 1, rows, inputs, weights, biases, to, stride, width, 0, 0, finish, values == NULL ? to : values};
  quad_multiply(&product, wide_multiply(&product, 0));
}

/** For each input and each other value, the sum of their products over all rows. */
static void sum_products(const float* from, size_t from_stride, size_t inputs, const float* others, size_t stride, size_t width, size_t rows,
                     float* to, int half, int more) {
  const struct product product = {from, 1, from_stride, inputs, rows, others, NULL, to, stride, width, half, more, FINISH_NOT, to};
  quad_multiply(&product, wide_multiply(&product, 0));
}

static void sum_columns(const float* from, size_t stride, size_t rows, float* to, int more) {
  quad_sum_rows(from, stride, rows, to, more, wide_sum_rows(from, stride, rows, to, more, 0));
}

/** The sum over all rows of a value of each times the first `columns` of the row. */
static void weigh_rows(const float* from, size_t stride, size_t columns, size_t rows, const float* weights, size_t step, float* to,
                       size_t apart, int more) {
  size_t at = quad_weigh_rows(from, stride, columns, rows, weights, step, to, apart, more,
                              wide_weigh_rows(from, stride, columns, rows, weights, step, to, apart, more, 0));
  size_t row;
  for (; at < columns; at++) {
    float sum = more ? to[at * apart] : 0;
    for (row = 0; row < rows; row++) sum += from[row * stride + at] * weights[row * step];
    to[at * apart] = sum;
  }
}
