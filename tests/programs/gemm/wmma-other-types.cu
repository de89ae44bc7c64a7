// program: tags=gemm,tensor-cores,bfloat16,tf32,integers,double arch=80
// Tensor cores through nvcuda::wmma with bfloat16, tf32, int8 and double.

#include "reference.h"
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

template <int M, int N, int K, class Type, class Stored, class Sum>
__global__ void multiply(const Stored* a, const Stored* b, Sum* c, int n, int k) {
  const int row = blockIdx.y * M, column = blockIdx.x * N;
  wmma::fragment<wmma::matrix_a, M, N, K, Type, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, Type, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
  wmma::fill_fragment(fc, Sum(1));
  for (int i = 0; i < k; i += K) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + column, n);
    if constexpr (std::is_same_v<Type, wmma::precision::tf32>) {
      for (auto& x : fa.x) x = wmma::__float_to_tf32(x);
      for (auto& x : fb.x) x = wmma::__float_to_tf32(x);
    }
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

int main() {
  const int m = 32, n = 32, k = 32;
  Random random(55);
  const auto a = eighths(random, m * k), b = eighths(random, k * n);
  auto want = product(a, b, m, k, n);
  for (float& value : want) value += 1;
  {
    DeviceArray<__nv_bfloat16> da(converted<__nv_bfloat16>(a)), db(converted<__nv_bfloat16>(b));
    DeviceArray<float> c(m * n);
    multiply<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float><<<dim3(n / 16, m / 16), 32>>>(da, db, c, n, k);
    CHECK_KERNEL();
    same("bfloat16", c.host(), want);
  }
  {
    DeviceArray<float> da(a), db(b), c(m * n);
    multiply<16, 16, 8, wmma::precision::tf32, float, float><<<dim3(n / 16, m / 16), 32>>>(da, db, c, n, k);
    CHECK_KERNEL();
    same("tf32", c.host(), want);
  }
  {
    DeviceArray<double> da(converted<double>(a)), db(converted<double>(b)), c(m * n);
    multiply<8, 8, 4, double, double, double><<<dim3(n / 8, m / 8), 32>>>(da, db, c, n, k);
    CHECK_KERNEL();
    same("double", c.host(), converted<double>(want));
  }
  {
    std::vector<signed char> ia(m * k), ib(k * n);
    for (auto& x : ia) x = static_cast<signed char>(random.below(256));
    for (auto& x : ib) x = static_cast<signed char>(random.below(256));
    auto wanted = product(converted<int>(ia), converted<int>(ib), m, k, n);
    for (int& value : wanted) value += 1;
    DeviceArray<signed char> da(ia), db(ib);
    DeviceArray<int> c(m * n);
    multiply<32, 8, 16, signed char, signed char, int><<<dim3(n / 8, m / 32), 32>>>(da, db, c, n, k);
    CHECK_KERNEL();
    same("int8", c.host(), wanted);
  }
  return finish();
}
