// program: tags=gemm,tensor-cores,half
// Tensor cores through nvcuda::wmma: half inputs with float sums, and with half sums; A by rows, B by columns or rows.

#include "reference.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <class Sum, class Layout>
__global__ void multiply(const half* a, const half* b, Sum* c, int m, int n, int k) {
  const int row = blockIdx.y * 16, column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Layout> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> fc;
  wmma::fill_fragment(fc, Sum(0.0f));
  constexpr bool BY_ROWS = std::is_same_v<Layout, wmma::row_major>;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, BY_ROWS ? b + i * n + column : b + column * k + i, BY_ROWS ? n : k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * Sum(0.5f);
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

int main() {
  const int m = 32, n = 64, k = 48;
  Random random(54);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  std::vector<float> turned(k * n), want = product(a, b, m, k, n);
  for (int i = 0; i < k; i++)
    for (int j = 0; j < n; j++) turned[j * k + i] = b[i * n + j];
  for (float& value : want) value *= 0.5f;
  DeviceArray<half> da(converted<half>(a)), by_rows(converted<half>(b)), by_columns(converted<half>(turned)), ch(m * n);
  DeviceArray<float> cf(m * n);
  multiply<float, wmma::row_major><<<dim3(n / 32, m / 16), 64>>>(da, by_rows, cf, m, n, k);
  CHECK_KERNEL();
  same("float sums", cf.host(), want);
  multiply<half, wmma::col_major><<<dim3(n / 32, m / 16), 64>>>(da, by_columns, ch, m, n, k);
  CHECK_KERNEL();
  close("half sums", ch.host(), want, 4e-3);
  return finish();
}
