/* Products of matrices; dense_lanes.h says what each function does. Strides of results are multiples of 4. Part of kernels.c. */

/** Sums of inputs times weights, plus the biases, for each row. */
static void affine(const float* from, size_t from_stride, size_t inputs, const float* weights, const float* biases, float* to,
                   size_t stride, size_t rows) {
  size_t at = wide_multiply(from, from_stride, 1, rows, inputs, weights, biases, to, stride, 0, 0, 0);
  quad_multiply(from, from_stride, 1, rows, inputs, weights, biases, to, stride, 0, 0, at);
}

/** For each input and each other value, the sum of their products over all rows. */
static void sum_products(const float* from, size_t from_stride, size_t inputs, const float* others, size_t stride, size_t rows, float* to,
                     int half, int more) {
  size_t at = wide_multiply(from, 1, from_stride, inputs, rows, others, NULL, to, stride, half, more, 0);
  quad_multiply(from, 1, from_stride, inputs, rows, others, NULL, to, stride, half, more, at);
}

static void sum_columns(const float* from, size_t stride, size_t rows, float* to, int more) {
  quad_sum_rows(from, stride, rows, to, more, wide_sum_rows(from, stride, rows, to, more, 0));
}

static void apply_relu(float* values, size_t count) { quad_relu(values, count, wide_relu(values, count, 0)); }
