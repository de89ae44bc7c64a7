/* The passes of a perceptron; src/mlp/network.ts and src/mlp/javascript.ts of the package are the same in TypeScript. Vectors go
 * across outputs, never across what is summed up. Part of kernels.c. */

static void mlp_forward(const struct mlp* model, size_t rows) {
  const float* from = model->input;
  size_t index;
  for (index = 0; index < model->layers; index++) {
    const struct layer* layer = &model->layer[index];
    const enum finish finish = index + 1 == model->layers ? FINISH_NOT : model->config->relu ? FINISH_RELU : FINISH_TANH;
    float* to = layer->activations;
    affine(from, layer->input_stride, layer->inputs, layer->weights, layer->biases, to, layer->stride, layer->stride, rows, finish, NULL);
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
  const enum finish finish = model->config->relu ? FINISH_RELU_SLOPE : FINISH_TANH_SLOPE;
  size_t index;
  for (index = model->layers; index-- > 0;) {
    const struct layer* layer = &model->layer[index];
    const size_t stride = layer->input_stride;
    const float* from = index == 0 ? model->input : layer[-1].activations;
    if (layer->outputs == 1) weigh_rows(from, stride, layer->inputs, rows, layer->errors, layer->stride, layer->gradients, layer->stride, more);
    else sum_products(from, stride, layer->inputs, layer->errors, layer->stride, layer->stride, rows, layer->gradients, 0, more);
    sum_columns(layer->errors, layer->stride, rows, layer->bias_gradients, more);
    if (index == 0) return;
    if (!more) transpose_weights(layer);
    affine(layer->errors, layer->stride, layer->outputs, layer->transposed, NULL, layer[-1].errors, stride, stride, rows, finish, from);
  }
}

static void mlp_adam(const struct mlp* model, float rate) { quad_adam(model, rate, wide_adam(model, rate, 0)); }
