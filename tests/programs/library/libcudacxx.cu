// program: tags=libcu++,atomics,barriers
// The standard library on the device: atomics with scopes, complex numbers, tuples, optional and spans of values.

#include "../check.h"
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/utility>

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count(Counter* counter, int* order) {
  const int at = counter->fetch_add(1, cuda::memory_order_relaxed);
  order[at] = 1;
}

__device__ cuda::std::optional<int> positive(int value) {
  return value > 0 ? cuda::std::optional<int>(value) : cuda::std::nullopt;
}

__global__ void values(float* out, int* ints) {
  const int i = threadIdx.x;
  cuda::std::complex<float> z(i * 0.1f, 1.0f);
  z = z * z + cuda::std::complex<float>(1, 0);
  out[2 * i] = z.real();
  out[2 * i + 1] = z.imag();
  const cuda::std::array<int, 3> numbers = {i, i * 2, i * 3};
  const auto pair = cuda::std::make_tuple(numbers[0] + numbers[2], positive(i - 5).value_or(-1));
  ints[i] = cuda::std::get<0>(pair) * 100 + cuda::std::get<1>(pair);
}

/** A lock taken by one thread of each block. */
__global__ void locked(cuda::std::atomic_flag* flag, volatile int* total) {
  if (threadIdx.x != 0) return;
  while (flag->test_and_set(cuda::memory_order_acquire)) {
  }
  *total = *total + blockIdx.x;
  flag->clear(cuda::memory_order_release);
}

int main() {
  const int threads = 256;
  Counter* counter;
  CHECK(cudaMalloc(&counter, sizeof(Counter)));
  CHECK(cudaMemset(counter, 0, sizeof(Counter)));
  DeviceArray<int> order(threads), ints(32), total(1);
  count<<<4, 64>>>(counter, order);
  CHECK_KERNEL();
  same("order", order.host(), std::vector<int>(threads, 1));

  DeviceArray<float> out(64);
  values<<<1, 32>>>(out, ints);
  CHECK_KERNEL();
  std::vector<float> want;
  std::vector<int> wanted;
  for (int i = 0; i < 32; i++) {
    const float x = i * 0.1f;
    want.insert(want.end(), {x * x - 1 + 1, 2 * x});
    wanted.push_back(i * 4 * 100 + (i > 5 ? i - 5 : -1));
  }
  close("complex", out.host(), want, 1e-5);
  same("tuples", ints.host(), wanted);

  cuda::std::atomic_flag* flag;
  CHECK(cudaMalloc(&flag, sizeof(cuda::std::atomic_flag)));
  CHECK(cudaMemset(flag, 0, sizeof(cuda::std::atomic_flag)));
  locked<<<20, 32>>>(flag, total);
  CHECK_KERNEL();
  same("total", total.host()[0], 190);
  CHECK(cudaFree(counter));
  CHECK(cudaFree(flag));
  return finish();
}
