// program: tags=runtime,graphs,memory
// Memory that graphs allocate: by nodes and by capture, freed in the graph, after it, and in another one.

#include "../check.h"

constexpr int COUNT = 300;

__global__ void square(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) out[i] = in[i] * in[i];
}

__global__ void negate(int* out, const int* in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT) out[i] = -in[i];
}

namespace {

constexpr size_t BYTES = COUNT * sizeof(int);

cudaMemAllocNodeParams allocation() {
  cudaMemAllocNodeParams parameters = {};
  parameters.bytesize = BYTES;
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  return parameters;
}

unsigned long long used() {
  unsigned long long bytes = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}

cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, const void* function, void* out, void* in) {
  void* arguments[] = {&out, &in};
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(function);
  parameters.gridDim = dim3(3);
  parameters.blockDim = dim3(128);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, &after, 1, &parameters));
  return node;
}

std::vector<int> input(COUNT), want(COUNT);

/** Squares in memory of the graph, and negates them in memory that is freed if `frees` says so. */
void* build(cudaGraphExec_t* exec, const std::vector<int>& in, std::vector<int>& out, bool frees) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams parameters = allocation();
  cudaGraphNode_t first, second, third, to, from, free_first, free_second, free_third;
  CHECK(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &parameters));
  void* a = parameters.dptr;
  CHECK(cudaGraphAddMemAllocNode(&second, graph, &first, 1, &parameters));
  void* b = parameters.dptr;
  expect(a != nullptr && b != nullptr && a != b, "two addresses");
  CHECK(cudaGraphAddMemcpyNode1D(&to, graph, &second, 1, a, in.data(), BYTES, cudaMemcpyHostToDevice));
  const cudaGraphNode_t squares = kernel(graph, to, reinterpret_cast<const void*>(square), b, a);
  CHECK(cudaGraphAddMemFreeNode(&free_first, graph, &squares, 1, a));
  // The memory that has been freed is used again.
  CHECK(cudaGraphAddMemAllocNode(&third, graph, &free_first, 1, &parameters));
  void* c = parameters.dptr;
  expect(c == a, "the address of the memory that is free by then");
  const cudaGraphNode_t negated = kernel(graph, third, reinterpret_cast<const void*>(negate), c, b);
  CHECK(cudaGraphAddMemFreeNode(&free_second, graph, &negated, 1, b));
  CHECK(cudaGraphAddMemcpyNode1D(&from, graph, &negated, 1, out.data(), c, BYTES, cudaMemcpyDeviceToHost));
  if (frees) CHECK(cudaGraphAddMemFreeNode(&free_third, graph, &from, 1, c));
  cudaMemAllocNodeParams found;
  CHECK(cudaGraphMemAllocNodeGetParams(third, &found));
  expect(found.dptr == c && found.bytesize == BYTES, "the parameters of the allocation");
  void* freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(free_second, &freed));
  expect(freed == b, "the address that is freed");
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(third, &type));
  same("type", static_cast<int>(type), static_cast<int>(cudaGraphNodeTypeMemAlloc));
  CHECK(cudaGraphInstantiate(exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return c;
}

}  // namespace

int main() {
  for (int i = 0; i < COUNT; i++) input[i] = i % 37 - 5, want[i] = -input[i] * input[i];
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  std::vector<int> out(COUNT);
  cudaGraphExec_t exec, freeing;

  build(&exec, input, out, true);
  for (int i = 0; i < 3; i++) {
    std::fill(out.begin(), out.end(), 0);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    same("freed in the graph", out, want);
    same("nothing is left", used(), 0ull);
  }
  CHECK(cudaGraphExecDestroy(exec));

  void* left = build(&exec, input, out, false);
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(used() >= BYTES, "memory that is left");
  std::vector<int> again(COUNT);
  CHECK(cudaMemcpy(again.data(), left, BYTES, cudaMemcpyDeviceToHost));
  same("after the graph", again, want);
  same("still allocated", cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaFreeAsync(left, stream));
  same("freed by the program", used(), 0ull);
  CHECK(cudaGraphLaunch(exec, stream));
  // Another graph frees it.
  cudaGraph_t graph;
  cudaGraphNode_t node;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, left));
  CHECK(cudaGraphInstantiate(&freeing, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(freeing, stream));
  CHECK(cudaStreamSynchronize(stream));
  same("freed by another graph", used(), 0ull);
  CHECK(cudaGraphLaunch(exec, stream));
  // What is allocated stays so without its graph.
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphExecDestroy(freeing));
  CHECK(cudaMemcpy(again.data(), left, BYTES, cudaMemcpyDeviceToHost));
  same("without its graph", again, want);
  CHECK(cudaFree(left));
  same("freed at last", used(), 0ull);
  unsigned long long most = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most));
  expect(most >= 2 * BYTES, "the most that was used");
  CHECK(cudaDeviceGraphMemTrim(0));
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &most));
  same("trimmed", most, 0ull);

  // Captured allocations, which relaunches free if the program wants that.
  DeviceArray<int> source(input), result(COUNT);
  int *temporary = nullptr, *kept = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&temporary, BYTES, stream));
  square<<<3, 128, 0, stream>>>(temporary, source);
  CHECK(cudaMallocAsync(&kept, BYTES, stream));
  negate<<<3, 128, 0, stream>>>(kept, temporary);
  CHECK(cudaFreeAsync(temporary, stream));
  CHECK(cudaMemcpyAsync(result, kept, BYTES, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CHECK(cudaGraphDestroy(graph));
  for (int i = 0; i < 3; i++) {
    CHECK(cudaMemset(result, 0, BYTES));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    same("captured", result.host(), want);
  }
  CHECK(cudaFree(kept));
  CHECK(cudaGraphExecDestroy(exec));
  return finish();
}
