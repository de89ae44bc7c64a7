/* The passes of a perceptron; src/mlp/network.ts and src/mlp/javascript.ts of the package are the same in TypeScript. Vectors go
 * across outputs, never across what is summed up. Part of kernels.c. */

static void mlp_forward(const struct mlp* model, size_t rows) {
  const float* from = model->input;
  size_t index;
  for (index = 0; index < model->layers; index++) {
    const struct layer* layer = &model->layer[index];
    const size_t count = rows * layer->stride;
    float* to = layer->activations;
    affine(from, layer->input_stride, layer->inputs, layer->weights, layer->biases, to, layer->stride, rows);
    if (index + 1 < model->layers) {
      if (model->config->relu) apply_relu(to, count);
      else quad_tanh(to, count, wide_tanh(to, count, 0));
    }
    from = to;
  }
}

static void transpose_weights(const struct layer* layer) {
  size_t row, column;
  for (row = 0; row < layer->inputs; row++) {
    for (column = 0; column < layer->stride; column++)
      layer->transposed[column * layer->input_stride + row] = layer->weights[row * layer->stride + column];
  }
}

static void mlp_backward(const struct mlp* model, size_t rows, int more) {
  const int is_relu = model->config->relu != 0;
  size_t index;
  for (index = model->layers; index-- > 0;) {
    const struct layer* layer = &model->layer[index];
    const size_t count = rows * layer->input_stride;
    const float* from = index == 0 ? model->input : layer[-1].activations;
    sum_products(from, layer->input_stride, layer->inputs, layer->errors, layer->stride, rows, layer->gradients, 0, more);
    sum_columns(layer->errors, layer->stride, rows, layer->bias_gradients, more);
    if (index == 0) return;
    if (!more) transpose_weights(layer);
    affine(layer->errors, layer->stride, layer->outputs, layer->transposed, NULL, layer[-1].errors, layer->input_stride, rows);
    quad_slope(layer[-1].errors, from, count, is_relu, wide_slope(layer[-1].errors, from, count, is_relu, 0));
  }
}

static void mlp_adam(const struct mlp* model, float rate) { quad_adam(model, rate, wide_adam(model, rate, 0)); }
