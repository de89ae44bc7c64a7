/* The memory of principal components; packages/learn/src/pca/layout.ts describes the parts. */
#ifndef MMPTX_LEARN_PCA_H
#define MMPTX_LEARN_PCA_H

#include "model.h"

/** The rows whose products are summed up as f32 before they are added to others. */
enum { PCA_BLOCK = 64 };

struct pca {
  const mmptx_learn_pca_config* config;
  size_t stride;
  float* block;
  float* block_sums;
  float* block_products;
  float* shift;
  double* sums;
  double* products;
  double* means;
  double* covariance;
  double* basis;
  double* variances;
  double* images;
  double* small;
  double* vectors;
};

#endif
