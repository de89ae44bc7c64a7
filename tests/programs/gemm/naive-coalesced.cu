// program: tags=gemm
// The direct product with alpha and beta, threads along columns of C and then along its rows, and a batch of products.

#include "reference.h"

template <bool COALESCED>
__global__ void sgemm(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  const int row = COALESCED ? blockIdx.x * 16 + threadIdx.x / 16 : blockIdx.x * 16 + threadIdx.x % 16;
  const int column = COALESCED ? blockIdx.y * 16 + threadIdx.x % 16 : blockIdx.y * 16 + threadIdx.x / 16;
  a += blockIdx.z * m * k, b += blockIdx.z * k * n, c += blockIdx.z * m * n;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

int main() {
  const int m = 50, n = 37, k = 41, batch = 3;
  Random random(50);
  const auto a = eighths(random, batch * m * k), b = eighths(random, batch * k * n), c = eighths(random, batch * m * n);
  std::vector<float> want;
  for (int i = 0; i < batch; i++) {
    const auto p = product(std::vector<float>(a.begin() + i * m * k, a.begin() + (i + 1) * m * k),
                           std::vector<float>(b.begin() + i * k * n, b.begin() + (i + 1) * k * n), m, k, n);
    for (int j = 0; j < m * n; j++) want.push_back(0.5f * p[j] + 2.0f * c[i * m * n + j]);
  }
  DeviceArray<float> da(a), db(b);
  const dim3 grid(blocks_for(m, 16), blocks_for(n, 16), batch);
  DeviceArray<float> first(c), second(c);
  sgemm<false><<<grid, 256>>>(m, n, k, 0.5f, da, db, 2.0f, first);
  sgemm<true><<<grid, 256>>>(m, n, k, 0.5f, da, db, 2.0f, second);
  CHECK_KERNEL();
  same("naive", first.host(), want);
  same("coalesced", second.host(), want);
  return finish();
}
