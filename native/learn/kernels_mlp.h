/* The passes of a perceptron; src/mlp/network.ts and src/mlp/javascript.ts of the package are the same in TypeScript. Vectors go
 * across outputs, never across what is summed up. Part of kernels.c. */

static void mlp_forward(const struct mlp* model, size_t rows) {
  const float* from = model->input;
  size_t index;
  for (index = 0; index < model->layers; index++) {
    const struct layer* layer = &model->layer[index];
    size_t count = rows * layer->stride;
    affine(from, layer->input_stride, layer->inputs, layer->weights, layer->biases, layer->activations, layer->stride, rows);
    if (index + 1 < model->layers) {
      if (model->config->relu) relu(layer->activations, count);
      else quad_tanh(layer->activations, count, wide_tanh(layer->activations, count, 0));
    }
    from = layer->activations;
  }
}

static void mlp_backward(const struct mlp* model, size_t rows) {
  size_t index;
  for (index = model->layers; index-- > 0;) {
    const struct layer* layer = &model->layer[index];
    const struct layer* before = layer - 1;
    const float* from = index == 0 ? model->input : before->activations;
    size_t row, column, count;
    const int is_relu = model->config->relu != 0;
    products(from, layer->input_stride, layer->inputs, layer->errors, layer->stride, rows, layer->gradients, 0);
    sum_columns(layer->errors, layer->stride, rows, layer->bias_gradients);
    if (index == 0) return;
    for (row = 0; row < layer->inputs; row++) {
      for (column = 0; column < layer->stride; column++)
        layer->transposed[column * layer->input_stride + row] = layer->weights[row * layer->stride + column];
    }
    affine(layer->errors, layer->stride, layer->outputs, layer->transposed, NULL, before->errors, layer->input_stride, rows);
    count = rows * layer->input_stride;
    quad_slope(before->errors, before->activations, count, is_relu,
               wide_slope(before->errors, before->activations, count, is_relu, 0));
  }
}

static void mlp_adam(const struct mlp* model, float rate) { quad_adam(model, rate, wide_adam(model, rate, 0)); }
