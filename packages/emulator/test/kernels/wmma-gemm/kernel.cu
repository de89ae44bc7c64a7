// nvcc -arch=sm_80
// Products of matrices with the C++ interface of tensor cores: all types, orders and shapes of CUDA's samples.
#include <mma.h>
using namespace nvcuda;

// Each warp computes 16 x 16 results of an m x n product, k at a time, scaled as in BLAS: alpha * a * b + beta * c.
extern "C" __global__ void gemm(const half* a, const half* b, float* c, int m, int n, int k, float alpha, float beta) {
  const int row = 16 * blockIdx.x, column = 16 * (blockIdx.y * blockDim.x / 32 + threadIdx.x / 32);
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> y;
    wmma::load_matrix_sync(x, a + row * k + i, k);
    wmma::load_matrix_sync(y, b + i * n + column, n);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::load_matrix_sync(old, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < old.num_elements; i++) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(c + row * n + column, old, n, wmma::mem_row_major);
}

// One product through shared memory, the right matrix by columns, results by columns.
template <int M, int N, int K, typename In, typename Type, typename Out>
__device__ void product(const In* a, const In* b, Out* c) {
  __shared__ __align__(32) Out tile[M * N];
  wmma::fragment<wmma::matrix_a, M, N, K, Type, wmma::row_major> x;
  wmma::fragment<wmma::matrix_b, M, N, K, Type, wmma::col_major> y;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum;
  wmma::fill_fragment(sum, Out(1));
  wmma::load_matrix_sync(x, a, K);
  wmma::load_matrix_sync(y, b, K);
  wmma::mma_sync(sum, x, y, sum);
  wmma::store_matrix_sync(tile, sum, M, wmma::mem_col_major);
  __syncwarp();
  for (int i = threadIdx.x; i < M * N; i += 32) c[i] = tile[i];
}

extern "C" __global__ void half_tall(const half* a, const half* b, half* c) { product<32, 8, 16, half, half, half>(a, b, c); }
extern "C" __global__ void half_wide(const half* a, const half* b, half* c) { product<8, 32, 16, half, half, half>(a, b, c); }
extern "C" __global__ void bfloat_wide(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  product<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>(a, b, c);
}
extern "C" __global__ void bytes(const signed char* a, const signed char* b, int* c) {
  product<16, 16, 16, signed char, signed char, int>(a, b, c);
}
extern "C" __global__ void bytes_tall(const unsigned char* a, const unsigned char* b, int* c) {
  product<32, 8, 16, unsigned char, unsigned char, int>(a, b, c);
}
extern "C" __global__ void tf32(const float* a, const float* b, float* c) {
  product<16, 16, 8, float, wmma::precision::tf32, float>(a, b, c);
}
extern "C" __global__ void doubles(const double* a, const double* b, double* c) {
  product<8, 8, 4, double, double, double>(a, b, c);
}
