// program: tags=gemm,shared-memory,templates
// Each thread computes several results: a column of them (1D), a square of them (2D), and a square with float4 loads and a
// transposed tile of A.

#include "reference.h"

template <int BM, int BN, int BK, int TM>
__global__ void tiling1d(int n, int k, const float* a, const float* b, float* c) {
  __shared__ float as[BM * BK], bs[BK * BN];
  const int column = threadIdx.x % BN, row = threadIdx.x / BN;
  a += blockIdx.y * BM * k, b += blockIdx.x * BN, c += blockIdx.y * BM * n + blockIdx.x * BN;
  float sums[TM] = {};
  for (int start = 0; start < k; start += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) as[i] = a[i / BK * k + start + i % BK];
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) bs[i] = b[(start + i / BN) * n + i % BN];
    __syncthreads();
    for (int d = 0; d < BK; d++) {
      const float value = bs[d * BN + column];
      for (int i = 0; i < TM; i++) sums[i] += as[(row * TM + i) * BK + d] * value;
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++) c[(row * TM + i) * n + column] = sums[i];
}

template <int BM, int BN, int BK, int TM, int TN, bool VECTORS>
__global__ void __launch_bounds__(BM* BN / (TM * TN)) tiling2d(int n, int k, const float* a, const float* b, float* c) {
  __shared__ __align__(16) float as[BK * BM], bs[BK * BN];
  const int row = threadIdx.x / (BN / TN) * TM, column = threadIdx.x % (BN / TN) * TN;
  a += blockIdx.y * BM * k, b += blockIdx.x * BN, c += blockIdx.y * BM * n + blockIdx.x * BN;
  float sums[TM][TN] = {}, left[TM], right[TN];
  for (int start = 0; start < k; start += BK) {
    if (VECTORS) {
      for (int i = threadIdx.x * 4; i < BM * BK; i += blockDim.x * 4) {
        const float4 v = *reinterpret_cast<const float4*>(&a[i / BK * k + start + i % BK]);
        as[(i % BK + 0) * BM + i / BK] = v.x;
        as[(i % BK + 1) * BM + i / BK] = v.y;
        as[(i % BK + 2) * BM + i / BK] = v.z;
        as[(i % BK + 3) * BM + i / BK] = v.w;
      }
      for (int i = threadIdx.x * 4; i < BK * BN; i += blockDim.x * 4)
        *reinterpret_cast<float4*>(&bs[i]) = *reinterpret_cast<const float4*>(&b[(start + i / BN) * n + i % BN]);
    } else {
      for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) as[i % BK * BM + i / BK] = a[i / BK * k + start + i % BK];
      for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) bs[i] = b[(start + i / BN) * n + i % BN];
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < BK; d++) {
#pragma unroll
      for (int i = 0; i < TM; i++) left[i] = as[d * BM + row + i];
#pragma unroll
      for (int j = 0; j < TN; j++) right[j] = bs[d * BN + column + j];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j += VECTORS ? 4 : 1) {
      float* to = &c[(row + i) * n + column + j];
      if (VECTORS) *reinterpret_cast<float4*>(to) = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
      else *to = sums[i][j];
    }
}

int main() {
  const int m = 128, n = 64, k = 64;
  Random random(51);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  const auto want = product(a, b, m, k, n);
  DeviceArray<float> da(a), db(b), c1(m * n), c2(m * n), c3(m * n);
  tiling1d<64, 64, 8, 8><<<dim3(n / 64, m / 64), 512>>>(n, k, da, db, c1);
  tiling2d<64, 64, 8, 8, 8, false><<<dim3(n / 64, m / 64), 64>>>(n, k, da, db, c2);
  tiling2d<64, 64, 8, 4, 4, true><<<dim3(n / 64, m / 64), 256>>>(n, k, da, db, c3);
  CHECK_KERNEL();
  same("1D", c1.host(), want);
  same("2D", c2.host(), want);
  same("vectors", c3.host(), want);
  return finish();
}
