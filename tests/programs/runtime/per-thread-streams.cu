// program: tags=runtime,streams,graphs flags=--default-stream,per-thread
// Compiled for default streams of threads: several threads launch, copy and wait, and one of the streams is captured.

#include "../check.h"
#include <thread>

__global__ void fill(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = value + i;
}

__global__ void add(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += value;
}

__device__ int offset;

constexpr int COUNT = 1000, THREADS = 4;

int main() {
  const int seven = 7;
  CHECK(cudaMemcpyToSymbol(offset, &seven, sizeof seven));
  std::vector<std::vector<int>> results(THREADS, std::vector<int>(COUNT));
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++) {
    threads.emplace_back([t, &results] {
      int *data = nullptr, *later = nullptr;
      cudaEvent_t event;
      CHECK(cudaEventCreate(&event));
      CHECK(cudaMalloc(&data, COUNT * sizeof(int)));
      CHECK(cudaMallocAsync(&later, COUNT * sizeof(int), 0));
      CHECK(cudaMemsetAsync(data, 0, COUNT * sizeof(int)));
      fill<<<blocks_for(COUNT, 128), 128>>>(data, t * 10000, COUNT);
      add<<<blocks_for(COUNT, 128), 128>>>(data, 5, COUNT);
      CHECK(cudaMemcpy(later, data, COUNT * sizeof(int), cudaMemcpyDeviceToDevice));
      CHECK(cudaMemcpyAsync(results[t].data(), later, COUNT * sizeof(int), cudaMemcpyDeviceToHost));
      CHECK(cudaEventRecord(event));
      CHECK(cudaStreamWaitEvent(0, event, 0));
      CHECK(cudaStreamSynchronize(0));
      CHECK(cudaFreeAsync(later, 0));
      CHECK(cudaFree(data));
      CHECK(cudaEventDestroy(event));
    });
  }
  for (auto& one : threads) one.join();
  for (int t = 0; t < THREADS; t++) {
    std::vector<int> want(COUNT);
    for (int i = 0; i < COUNT; i++) want[i] = t * 10000 + i + 5;
    same("a thread", results[t], want);
  }
  int found = 0;
  CHECK(cudaMemcpyFromSymbol(&found, offset, sizeof found));
  same("symbol", found, seven);

  DeviceArray<int> data(COUNT);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  add<<<blocks_for(COUNT, 128), 128, 0, cudaStreamPerThread>>>(data, 3, COUNT);
  CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(exec, cudaStreamPerThread));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  same("captured", data.host(), std::vector<int>(COUNT, 6));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  return finish();
}
