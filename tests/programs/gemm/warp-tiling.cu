// program: tags=gemm,shared-memory
// Tiles of blocks, warps and threads, with tiles of the next step loaded into registers while this one is computed.

#include "reference.h"

constexpr int BM = 64, BN = 64, BK = 16, WM = 32, WN = 32, TM = 4, TN = 8, THREADS = 128;

__global__ void __launch_bounds__(THREADS) warp_tiling(int n, int k, const float* a, const float* b, float* c) {
  __shared__ __align__(16) float as[2][BK][BM], bs[2][BK][BN];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / (BN / WN) * WM + lane / (WN / TN) * TM, column = warp % (BN / WN) * WN + lane % (WN / TN) * TN;
  a += blockIdx.y * BM * k, b += blockIdx.x * BN, c += blockIdx.y * BM * n + blockIdx.x * BN;
  float4 next_a[2], next_b[2];
  auto load = [&](int start) {
    for (int j = 0; j < 2; j++) {
      const int i = (threadIdx.x + j * THREADS) * 4;
      next_a[j] = *reinterpret_cast<const float4*>(&a[i / BK * k + start + i % BK]);
      next_b[j] = *reinterpret_cast<const float4*>(&b[(start + i / BN) * n + i % BN]);
    }
  };
  auto store = [&](int buffer) {
    for (int j = 0; j < 2; j++) {
      const int i = (threadIdx.x + j * THREADS) * 4;
      as[buffer][i % BK + 0][i / BK] = next_a[j].x;
      as[buffer][i % BK + 1][i / BK] = next_a[j].y;
      as[buffer][i % BK + 2][i / BK] = next_a[j].z;
      as[buffer][i % BK + 3][i / BK] = next_a[j].w;
      *reinterpret_cast<float4*>(&bs[buffer][i / BN][i % BN]) = next_b[j];
    }
  };
  float sums[TM][TN] = {};
  load(0);
  store(0);
  __syncthreads();
  for (int start = 0, buffer = 0; start < k; start += BK, buffer ^= 1) {
    if (start + BK < k) load(start + BK);
    for (int d = 0; d < BK; d++) {
      float left[TM], right[TN];
      for (int i = 0; i < TM; i++) left[i] = as[buffer][d][row + i];
      for (int j = 0; j < TN; j++) right[j] = bs[buffer][d][column + j];
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) sums[i][j] += left[i] * right[j];
    }
    if (start + BK < k) store(buffer ^ 1);
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j++) c[(row + i) * n + column + j] = sums[i][j];
}

int main() {
  const int m = 64, n = 128, k = 80;
  Random random(52);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  DeviceArray<float> da(a), db(b), c(m * n);
  warp_tiling<<<dim3(n / BN, m / BM), THREADS>>>(n, k, da, db, c);
  CHECK_KERNEL();
  same("c", c.host(), product(a, b, m, k, n));
  return finish();
}
