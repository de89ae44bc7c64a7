// program: tags=runtime,occupancy,errors ci
// What programs ask for before they start, and how errors are reported: properties, attributes, occupancy, last errors.

#include "../check.h"
#include <cstring>
#include <string>

__global__ void simple(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void much_shared(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

int main() {
  int devices = 0, current = -1, driver = 0, runtime = 0;
  CHECK(cudaGetDeviceCount(&devices));
  CHECK(cudaSetDevice(0));
  CHECK(cudaGetDevice(&current));
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  expect(devices >= 1 && current == 0, "a device");
  expect(runtime >= 12000 && driver >= runtime / 1000 * 1000, "versions that fit together");
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  expect(std::strlen(properties.name) > 0 && properties.major >= 7, "a name and a compute capability");
  same("warp", properties.warpSize, 32);
  same("threads", properties.maxThreadsPerBlock, 1024);
  int major = 0, threads = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0));
  same("major", major, properties.major);
  same("attribute", threads, 1024);
  size_t free_bytes = 0, total = 0, free_after = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total));
  {
    DeviceArray<char> held(1 << 20);
    CHECK(cudaMemGetInfo(&free_after, &total));
    expect(free_after <= free_bytes && total >= free_bytes, "less memory than before");
  }

  int least_grid = 0, best_block = 0, active = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least_grid, &best_block, simple, 0, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, simple, 256, 0));
  expect(best_block >= 32 && best_block <= 1024 && least_grid > 0 && active > 0, "sizes that a launch can have");
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, simple));
  expect(attributes.maxThreadsPerBlock == 1024 && attributes.ptxVersion > 0, "the attributes of a kernel");

  // Errors of launches are kept until somebody asks.
  DeviceArray<int> data(1024);
  simple<<<1, 2048>>>(data);
  expect(cudaPeekAtLastError() == cudaErrorInvalidConfiguration, "an invalid configuration");
  expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "the same error again");
  expect(cudaGetLastError() == cudaSuccess, "no error after it was read");
  expect(cudaMemcpy(data, nullptr, 16, cudaMemcpyHostToDevice) != cudaSuccess, "no copy from null");
  cudaGetLastError();
  expect(cudaSetDevice(devices) == cudaErrorInvalidDevice, "no such device");
  cudaGetLastError();
  expect(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)) == "cudaErrorMemoryAllocation", "the name of an error");
  void* huge = nullptr;
  expect(cudaMalloc(&huge, size_t(1) << 46) == cudaErrorMemoryAllocation, "no such memory");
  expect(cudaGetLastError() == cudaErrorMemoryAllocation, "the error of cudaMalloc");

  // More than 48 KiB of shared memory has to be asked for.
  const int bytes = 64 * 1024;
  much_shared<<<1, 256, bytes>>>(data);
  expect(cudaGetLastError() == cudaErrorInvalidValue, "too much shared memory");
  CHECK(cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  much_shared<<<1, 256, bytes>>>(data);
  CHECK_KERNEL();
  same("reversed", data.host()[0], 255);
  return finish();
}
