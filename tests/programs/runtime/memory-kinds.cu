// program: tags=runtime,managed,zero-copy,pinned,symbols ci
// Memory of every kind: managed and __managed__, mapped host memory, registered memory, symbols, and pools.

#include "../check.h"

__managed__ int managed_counter = 5;
__device__ int device_values[4] = {1, 2, 3, 4};
__constant__ float factors[3];

__global__ void use(int* managed, int* mapped, int* registered, float* out) {
  const int i = threadIdx.x;
  managed[i] = managed[i] * 2 + device_values[i % 4];
  mapped[i] += i;
  registered[i] -= i;
  out[i] = factors[i % 3];
  if (i == 0) managed_counter++;
}

int main() {
  const int count = 64;
  int *managed, *mapped, *mapped_on_device;
  CHECK(cudaMallocManaged(&managed, count * sizeof(int)));
  CHECK(cudaHostAlloc(&mapped, count * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mapped_on_device, mapped, 0));
  std::vector<int> registered(count), want_managed(count), want_mapped(count), want_registered(count);
  CHECK(cudaHostRegister(registered.data(), count * sizeof(int), cudaHostRegisterMapped));
  int* registered_on_device;
  CHECK(cudaHostGetDevicePointer(&registered_on_device, registered.data(), 0));
  const int values[4] = {10, 20, 30, 40};
  const float chosen[3] = {0.5f, 1.5f, 2.5f};
  CHECK(cudaMemcpyToSymbol(device_values, values, sizeof(values)));
  CHECK(cudaMemcpyToSymbol(factors, chosen, 2 * sizeof(float)));
  CHECK(cudaMemcpyToSymbol(factors, &chosen[2], sizeof(float), 2 * sizeof(float)));
  for (int i = 0; i < count; i++) {
    managed[i] = i, mapped[i] = 100 + i, registered[i] = 1000;
    want_managed[i] = i * 2 + values[i % 4];
    want_mapped[i] = 100 + 2 * i;
    want_registered[i] = 1000 - i;
  }
  DeviceArray<float> out(count);
  use<<<1, count>>>(managed, mapped_on_device, registered_on_device, out);
  CHECK_KERNEL();
  same("managed", std::vector<int>(managed, managed + count), want_managed);
  same("mapped", std::vector<int>(mapped, mapped + count), want_mapped);
  same("registered", registered, want_registered);
  same("__managed__", managed_counter, 6);
  std::vector<float> want;
  for (int i = 0; i < count; i++) want.push_back(chosen[i % 3]);
  same("constants", out.host(), want);

  void* address;
  size_t bytes;
  CHECK(cudaGetSymbolAddress(&address, device_values));
  CHECK(cudaGetSymbolSize(&bytes, device_values));
  same("size of the symbol", bytes, sizeof(values));
  int second;
  CHECK(cudaMemcpy(&second, static_cast<int*>(address) + 1, sizeof(int), cudaMemcpyDefault));
  same("through its address", second, 20);

  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, managed));
  expect(attributes.type == cudaMemoryTypeManaged, "a managed pointer");
  CHECK(cudaPointerGetAttributes(&attributes, out.get()));
  expect(attributes.type == cudaMemoryTypeDevice, "a pointer to device memory");

  cudaStream_t stream;
  int* pooled;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&pooled, count * sizeof(int), stream));
  CHECK(cudaMemsetAsync(pooled, 0x11, count * sizeof(int), stream));
  std::vector<int> back(count);
  CHECK(cudaMemcpyAsync(back.data(), pooled, count * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(pooled, stream));
  CHECK(cudaStreamSynchronize(stream));
  same("memset", back, std::vector<int>(count, 0x11111111));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaHostUnregister(registered.data()));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFree(managed));
  return finish();
}
