// program: tags=runtime,graphs
// Conditional nodes: a loop, a loop in a loop, a choice of two and of several, with values that kernels set.

#include "../check.h"

__global__ void count_down(cudaGraphConditionalHandle handle, int* left, int* done) {
  done[0]++;
  cudaGraphSetConditional(handle, --left[0] > 0);
}

__global__ void begin(cudaGraphConditionalHandle handle, int* left, int value) {
  left[0] = value;
  cudaGraphSetConditional(handle, value > 0);
}

__global__ void choose(cudaGraphConditionalHandle handle, const int* choice) { cudaGraphSetConditional(handle, *choice); }

__global__ void note(int* log, int value) { log[0] = log[0] * 10 + value; }

namespace {

#if CUDART_VERSION >= 13000
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, size_t count,
                     cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, needs, nullptr, count, parameters);
}
#else
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs, size_t count,
                     cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, needs, count, parameters);
}
#endif

cudaGraphNode_t kernel(cudaGraph_t graph, const cudaGraphNode_t* needs, const void* function, void** arguments) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = const_cast<void*>(function);
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(add_node(&node, graph, needs, needs == nullptr ? 0 : 1, &parameters));
  return node;
}

cudaGraph_t* conditional(cudaGraph_t graph, const cudaGraphNode_t* needs, cudaGraphConditionalHandle handle,
                         cudaGraphConditionalNodeType type, unsigned size, cudaGraphNode_t* node) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  CHECK(add_node(node, graph, needs, needs == nullptr ? 0 : 1, &parameters));
  return parameters.conditional.phGraph_out;
}

int value_of(const int* address) {
  int value = 0;
  CHECK(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

void set(int* address, int value) { CHECK(cudaMemcpy(address, &value, sizeof value, cudaMemcpyHostToDevice)); }

void launch(cudaGraphExec_t exec) {
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main() {
  DeviceArray<int> state(4);
  int *left = state.get(), *done = left + 1, *outer = left + 2, *log = left + 3;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;

  // A loop whose value is 1 at each launch; its body is captured.
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraph_t body = conditional(graph, nullptr, handle, cudaGraphCondTypeWhile, 1, &node)[0];
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, stream>>>(handle, left, done);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (const int times : {7, 3, 1}) {
    set(left, times);
    set(done, 0);
    launch(exec);
    same("times", value_of(done), times);
  }
  CHECK(cudaGraphExecDestroy(exec));

  // A loop in a loop.
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle outer_handle, inner_handle;
  CHECK(cudaGraphConditionalHandleCreate(&outer_handle, graph));
  int five = 5, four = 4;
  void* outer_begins[] = {&outer_handle, &outer, &five};
  const cudaGraphNode_t first = kernel(graph, nullptr, reinterpret_cast<const void*>(begin), outer_begins);
  body = conditional(graph, &first, outer_handle, cudaGraphCondTypeWhile, 1, &node)[0];
  CHECK(cudaGraphConditionalHandleCreate(&inner_handle, body));
  void* inner_begins[] = {&inner_handle, &left, &four};
  const cudaGraphNode_t second = kernel(body, nullptr, reinterpret_cast<const void*>(begin), inner_begins);
  const cudaGraph_t inner = conditional(body, &second, inner_handle, cudaGraphCondTypeWhile, 1, &node)[0];
  void* inner_counts[] = {&inner_handle, &left, &done};
  kernel(inner, nullptr, reinterpret_cast<const void*>(count_down), inner_counts);
  void* outer_counts[] = {&outer_handle, &outer, &log};
  kernel(body, &node, reinterpret_cast<const void*>(count_down), outer_counts);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaMemset(state.get(), 0, 16));
  launch(exec);
  same("inner", value_of(done), 20);
  same("outer", value_of(log), 5);
  CHECK(cudaGraphExecDestroy(exec));

  // If and else, and a switch.
  for (const auto& [type, size] : {std::pair{cudaGraphCondTypeIf, 2u}, std::pair{cudaGraphCondTypeSwitch, 3u}}) {
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    void* chooses[] = {&handle, &left};
    const cudaGraphNode_t chosen = kernel(graph, nullptr, reinterpret_cast<const void*>(choose), chooses);
    const cudaGraph_t* bodies = conditional(graph, &chosen, handle, type, size, &node);
    for (int i = 0; i < static_cast<int>(size); i++) {
      int value = i + 1;
      void* notes[] = {&log, &value};
      kernel(bodies[i], nullptr, reinterpret_cast<const void*>(note), notes);
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    set(log, 0);
    for (const int value : {0, 1, 2, 7}) {
      set(left, value);
      launch(exec);
    }
    same("chosen", value_of(log), type == cudaGraphCondTypeIf ? 2111 : 123);
    CHECK(cudaGraphExecDestroy(exec));
  }
  return finish();
}
