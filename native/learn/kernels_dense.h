/* Products of matrices; dense_lanes.h says what each function does. Strides of results are multiples of 4. Part of kernels.c. */

static void affine(const float* from, size_t from_stride, size_t inputs, const float* weights, const float* biases, float* to,
                   size_t stride, size_t rows) {
  size_t at = wide_affine(from, from_stride, inputs, weights, biases, to, stride, rows, 0);
  quad_affine(from, from_stride, inputs, weights, biases, to, stride, rows, at);
}

static void products(const float* from, size_t from_stride, size_t inputs, const float* others, size_t stride, size_t rows, float* to,
                     int half) {
  size_t at = wide_products(from, from_stride, inputs, others, stride, rows, to, half, 0);
  quad_products(from, from_stride, inputs, others, stride, rows, to, half, at);
}

static void sum_columns(const float* from, size_t stride, size_t rows, float* to) {
  quad_sum_rows(from, stride, rows, to, wide_sum_rows(from, stride, rows, to, 0));
}

static void relu(float* values, size_t count) { quad_relu(values, count, wide_relu(values, count, 0)); }
