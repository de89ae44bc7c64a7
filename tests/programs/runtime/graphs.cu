// program: tags=runtime,graphs,streams
// Graphs: captured from two streams that fork and join, and built from nodes; launched several times.

#include "../check.h"

__global__ void add(int* data, int value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += value;
}

__global__ void multiply(int* out, const int* a, const int* b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = a[i] * b[i];
}

int main() {
  int count = 500;
  std::vector<int> first(count), second(count), result(count), want(count);
  for (int i = 0; i < count; i++) first[i] = i % 17, second[i] = i % 13;
  DeviceArray<int> a(first), b(second), out(count);
  const int blocks = blocks_for(count, 128);

  cudaStream_t main_stream, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&main_stream));
  CHECK(cudaStreamCreate(&side));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  CHECK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, main_stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  add<<<blocks, 128, 0, main_stream>>>(a, 1, count);
  add<<<blocks, 128, 0, side>>>(b, 2, count);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(main_stream, join, 0));
  multiply<<<blocks, 128, 0, main_stream>>>(out, a, b, count);
  CHECK(cudaMemcpyAsync(result.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost, main_stream));
  CHECK(cudaStreamEndCapture(main_stream, &graph));
  same("unchanged by the capture", a.host(), first);
  CHECK(cudaGraphInstantiate(&runnable, graph, 0));
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(runnable, main_stream));
  CHECK(cudaStreamSynchronize(main_stream));
  for (int i = 0; i < count; i++) want[i] = (first[i] + 3) * (second[i] + 6);
  same("captured", result, want);

  cudaGraph_t built;
  cudaGraphNode_t set, kernel, copy;
  CHECK(cudaGraphCreate(&built, 0));
  cudaMemsetParams zero = {};
  zero.dst = out.get();
  zero.elementSize = 4;
  zero.width = count;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&set, built, nullptr, 0, &zero));
  int* target = out;
  int value = 9;
  void* args[] = {&target, &value, &count};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(add);
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(128);
  parameters.kernelParams = args;
  CHECK(cudaGraphAddKernelNode(&kernel, built, &set, 1, &parameters));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, built, &kernel, 1, result.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(built, nullptr, &nodes));
  same("nodes", nodes, size_t(3));
  cudaGraphExec_t second_runnable;
  CHECK(cudaGraphInstantiate(&second_runnable, built, 0));
  CHECK(cudaGraphLaunch(second_runnable, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("built", result, std::vector<int>(count, 9));
  CHECK(cudaGraphExecDestroy(runnable));
  CHECK(cudaGraphExecDestroy(second_runnable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(built));
  return finish();
}
