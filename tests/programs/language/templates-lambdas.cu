// program: tags=language,templates,lambdas flags=--extended-lambda,--expt-relaxed-constexpr
// Variadic templates, lambdas as kernels' arguments, constexpr tables, large structs by value, and recursion.

#include "../check.h"
#include <array>

template <class F>
__global__ void for_each(int count, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) f(i);
}

template <class... T>
__host__ __device__ constexpr auto sum_of(T... values) {
  return (values + ... + 0);
}

template <int N>
struct Polynomial {
  double coefficients[N];
  __host__ __device__ double operator()(double x) const {
    double value = 0;
    for (int i = N - 1; i >= 0; i--) value = value * x + coefficients[i];
    return value;
  }
};

struct Big {
  int values[200];
};

constexpr std::array<int, 8> squares() {
  std::array<int, 8> result{};
  for (int i = 0; i < 8; i++) result[i] = i * i;
  return result;
}

__host__ __device__ int ackermann(int m, int n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void with_struct(Big big, int* out) { out[threadIdx.x] = big.values[threadIdx.x] + squares()[threadIdx.x % 8]; }

__global__ void recursive(int* out) {
  const int i = threadIdx.x;
  out[i] = i < 16 ? fibonacci(i) : ackermann(2, i - 16);
}

int main() {
  const int count = 200;
  DeviceArray<double> out(count);
  DeviceArray<int> ints(count), values(32);
  const Polynomial<4> polynomial = {{1, -2, 0.5, 0.25}};
  double* data = out;
  const int offset = sum_of(1, 2, 3);
  for_each<<<blocks_for(count, 64), 64>>>(count, [=] __device__(int i) { data[i] = polynomial(i * 0.125) + offset; });
  CHECK_KERNEL();
  std::vector<double> want(count);
  for (int i = 0; i < count; i++) want[i] = polynomial(i * 0.125) + 6;
  close("polynomial", out.host(), want, 1e-14);

  Big big;
  std::vector<int> wanted(count);
  for (int i = 0; i < count; i++) big.values[i] = i * 3, wanted[i] = i * 3 + (i % 8) * (i % 8);
  with_struct<<<1, count>>>(big, ints);
  recursive<<<1, 32>>>(values);
  CHECK_KERNEL();
  same("struct", ints.host(), wanted);
  std::vector<int> recursion(32);
  for (int i = 0; i < 32; i++) recursion[i] = i < 16 ? fibonacci(i) : ackermann(2, i - 16);
  same("recursion", values.host(), recursion);
  return finish();
}
