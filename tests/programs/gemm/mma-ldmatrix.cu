// program: tags=gemm,tensor-cores,inline-ptx arch=80 ci
// A tile by inline PTX as fast kernels do it: cp.async, ldmatrix (with .trans for B) and mma.sync of bfloat16.

#include "reference.h"
#include <cuda_bf16.h>

constexpr int M = 32, N = 16, K = 32;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k) {
  __shared__ __align__(16) __nv_bfloat16 as[M][K + 8], bs[K][N + 8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  a += blockIdx.y * M * k, b += blockIdx.x * N, c += (blockIdx.y * M + warp * 16) * n + blockIdx.x * N;
  float sums[2][4] = {};
  for (int start = 0; start < k; start += K) {
    for (int i = threadIdx.x; i < M * K / 8; i += blockDim.x)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&as[i / 4][i % 4 * 8])),
                   "l"(a + i / 4 * k + start + i % 4 * 8));
    for (int i = threadIdx.x; i < K * N / 8; i += blockDim.x)
      asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(&bs[i / 2][i % 2 * 8])),
                   "l"(b + (start + i / 2) * n + i % 2 * 8));
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int d = 0; d < K; d += 16) {
      unsigned x[4], y[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                   : "r"(shared_address(&as[warp * 16 + lane % 16][d + lane / 16 * 8])));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3])
                   : "r"(shared_address(&bs[d + lane % 16][lane / 16 * 8])));
      for (int j = 0; j < 2; j++)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[j * 2]), "r"(y[j * 2 + 1]));
    }
    __syncthreads();
  }
  for (int j = 0; j < 2; j++) {
    float* to = c + lane / 4 * n + j * 8 + lane % 4 * 2;
    to[0] = sums[j][0], to[1] = sums[j][1];
    to[8 * n] = sums[j][2], to[8 * n + 1] = sums[j][3];
  }
}

int main() {
  const int m = 64, n = 32, k = 64;
  Random random(56);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  DeviceArray<__nv_bfloat16> da(converted<__nv_bfloat16>(a)), db(converted<__nv_bfloat16>(b));
  DeviceArray<float> c(m * n);
  multiply<<<dim3(n / N, m / M), 64>>>(da, db, c, n, k);
  CHECK_KERNEL();
  same("c", c.host(), product(a, b, m, k, n));
  return finish();
}
