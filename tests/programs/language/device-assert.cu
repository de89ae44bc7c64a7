// program: tags=language,assert,errors except=memory,races,uninitialized,sync,leaks
// An assertion that fails on the device: the launch reports cudaErrorAssert, and so does every later call.
//
// prints: caught

#include "../check.h"
#include <cassert>

__global__ void checked(const int* values, int count) {
  const int i = threadIdx.x;
  if (i < count) assert(values[i] < 40 && "values are small");
}

int main() {
  std::vector<int> values(50);
  for (int i = 0; i < 50; i++) values[i] = i;
  int* device;
  CHECK(cudaMalloc(&device, 50 * sizeof(int)));
  CHECK(cudaMemcpy(device, values.data(), 50 * sizeof(int), cudaMemcpyHostToDevice));
  checked<<<1, 64>>>(device, 30);
  CHECK_KERNEL();
  checked<<<1, 64>>>(device, 50);
  expect(cudaDeviceSynchronize() == cudaErrorAssert, "cudaErrorAssert");
  expect(cudaMemcpy(values.data(), device, 4, cudaMemcpyDeviceToHost) == cudaErrorAssert, "the same error from later calls");
  std::printf("caught\n");
  return finish();
}
