// program: tags=gemm,async-copies arch=80
// Three stages of tiles in flight by cp.async, through the pipeline intrinsics.

#include "reference.h"
#include <cuda_pipeline.h>

constexpr int TILE = 32, STAGES = 3;

__global__ void multiply(int n, int k, const float* a, const float* b, float* c) {
  __shared__ __align__(16) float as[STAGES][TILE][TILE], bs[STAGES][TILE][TILE];
  const int row = threadIdx.x / 8, column = threadIdx.x % 8 * 4;
  a += blockIdx.y * TILE * k, b += blockIdx.x * TILE;
  auto fetch = [&](int tile) {
    if (tile * TILE < k) {
      __pipeline_memcpy_async(&as[tile % STAGES][row][column], &a[row * k + tile * TILE + column], 16);
      __pipeline_memcpy_async(&bs[tile % STAGES][row][column], &b[(tile * TILE + row) * n + column], 16);
    }
    __pipeline_commit();
  };
  float sums[4] = {};
  for (int tile = 0; tile < STAGES - 1; tile++) fetch(tile);
  for (int tile = 0; tile * TILE < k; tile++) {
    fetch(tile + STAGES - 1);
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();
    for (int d = 0; d < TILE; d++)
      for (int j = 0; j < 4; j++) sums[j] += as[tile % STAGES][row][d] * bs[tile % STAGES][d][column + j];
    __syncthreads();
  }
  for (int j = 0; j < 4; j++) c[(blockIdx.y * TILE + row) * n + blockIdx.x * TILE + column + j] = sums[j];
}

int main() {
  const int m = 64, n = 64, k = 160;
  Random random(53);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  DeviceArray<float> da(a), db(b), c(m * n);
  multiply<<<dim3(n / TILE, m / TILE), 256>>>(n, k, da, db, c);
  CHECK_KERNEL();
  same("c", c.host(), product(a, b, m, k, n));
  return finish();
}
