/* The memory of a perceptron; packages/learn/src/mlp/layout.ts describes the parts. */
#ifndef MMPTX_LEARN_MLP_H
#define MMPTX_LEARN_MLP_H

#include "model.h"

enum { MOST_LAYERS = 3 };
/** All layers take as many rows at once, so that what one leaves is in the nearest cache for the next, and memory for it is small. */
enum { MLP_ROWS = 64 };
/** Constants of the other backends. */
enum { MLP_CONSTANTS = 13 };

struct layer {
  size_t inputs;
  /** The distance of rows of inputs and of outputs. */
  size_t input_stride;
  size_t outputs;
  size_t stride;
  float* weights;
  float* biases;
  float* gradients;
  float* bias_gradients;
  float* transposed;
  float* activations;
  float* errors;
};

struct mlp {
  const mmptx_learn_mlp_config* config;
  size_t layers;
  struct layer layer[MOST_LAYERS];
  size_t count;
  float* parameters;
  float* gradients;
  float* first_moments;
  float* second_moments;
  float* input;
  double* scaling;
};

#endif
