// program: tags=runtime,streams,callbacks
// Host functions and callbacks in streams run in their place between kernels.

#include "../check.h"

__global__ void append(int* log, int* length, int what) { log[atomicAdd(length, 1)] = what; }

struct Seen {
  int* mapped_length;
  std::vector<int> lengths;
};

void CUDART_CB on_host(void* data) {
  Seen* seen = static_cast<Seen*>(data);
  seen->lengths.push_back(*seen->mapped_length);
}

void CUDART_CB on_stream(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) on_host(data);
}

int main() {
  DeviceArray<int> log(8);
  int *length, *on_device;
  CHECK(cudaHostAlloc(&length, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&on_device, length, 0));
  *length = 0;
  Seen seen = {length, {}};
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  append<<<1, 1, 0, stream>>>(log, on_device, 7);
  CHECK(cudaLaunchHostFunc(stream, on_host, &seen));
  append<<<1, 1, 0, stream>>>(log, on_device, 8);
  append<<<1, 1, 0, stream>>>(log, on_device, 9);
  CHECK(cudaStreamAddCallback(stream, on_stream, &seen, 0));
  append<<<1, 1, 0, stream>>>(log, on_device, 10);
  CHECK(cudaStreamSynchronize(stream));
  same("lengths", seen.lengths, std::vector<int>{1, 3});
  same("log", log.host(), std::vector<int>{7, 8, 9, 10, 0, 0, 0, 0});
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(length));
  return finish();
}
