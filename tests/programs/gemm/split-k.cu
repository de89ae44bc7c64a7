// program: tags=gemm,atomics
// The inner dimension split over blocks, with the parts summed by atomics, for a tall and thin product in double.

#include "reference.h"

__global__ void split(const double* a, const double* b, double* c, int m, int n, int k, int part) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = threadIdx.y;
  if (row >= m) return;
  double sum = 0;
  for (int i = blockIdx.y * part; i < min(k, (blockIdx.y + 1) * part); i++) sum += a[row * k + i] * b[i * n + column];
  atomicAdd(&c[row * n + column], sum);
}

int main() {
  const int m = 20, n = 4, k = 300, part = 64;
  Random random(57);
  const auto a = converted<double>(eighths(random, m * k)), b = converted<double>(eighths(random, k * n));
  DeviceArray<double> da(a), db(b), c(m * n);
  split<<<dim3(1, blocks_for(k, part)), dim3(32, n)>>>(da, db, c, m, n, k, part);
  CHECK_KERNEL();
  same("c", c.host(), product(a, b, m, k, n));
  return finish();
}
