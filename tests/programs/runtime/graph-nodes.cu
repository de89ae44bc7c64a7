// program: tags=runtime,graphs,events
// Nodes of graphs by the functions for all types: parameters that are read and changed, edges, attributes, copies of graphs,
// and objects of the program that graphs keep.

#include "../check.h"
#include <cooperative_groups.h>
#include <cstring>

constexpr int COUNT = 64;

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

__global__ void meet(int* data) {
  atomicAdd(data, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) data[1] = data[0];
}

__device__ int symbol[COUNT];

namespace {

int calls = 0;

void call(void* data) { calls += *static_cast<int*>(data); }

void destroyed(void* data) { ++*static_cast<int*>(data); }

#if CUDART_VERSION >= 13000
#define WITH_EDGES(...) nullptr, __VA_ARGS__
#else
#define WITH_EDGES(...) __VA_ARGS__
#endif

cudaGraphNode_t any_node(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& needs, cudaGraphNodeParams parameters) {
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, needs.data(), WITH_EDGES(needs.size()), &parameters));
  return node;
}

cudaGraphNodeParams of_type(cudaGraphNodeType type) {
  cudaGraphNodeParams parameters = {};
  parameters.type = type;
  return parameters;
}

}  // namespace

int main() {
  DeviceArray<int> data(COUNT);
  std::vector<int> out(COUNT);
  int *address = data.get(), value = 5, one = 1, two = 2;
  void* arguments[] = {&address, &value};
  cudaGraph_t graph, child;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));

  cudaGraphNodeParams fill = of_type(cudaGraphNodeTypeMemset);
  fill.memset.dst = address;
  fill.memset.elementSize = 4;
  fill.memset.value = 100;
  fill.memset.width = COUNT;
  fill.memset.height = 1;
  cudaGraphNodeParams kernel = of_type(cudaGraphNodeTypeKernel);
  kernel.kernel.func = reinterpret_cast<void*>(add);
  kernel.kernel.gridDim = dim3(1);
  kernel.kernel.blockDim = dim3(COUNT);
  kernel.kernel.kernelParams = arguments;
  cudaGraphNodeParams host = of_type(cudaGraphNodeTypeHost);
  host.host.fn = call;
  host.host.userData = &one;
  cudaGraphNodeParams copy = of_type(cudaGraphNodeTypeMemcpy);
  copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(address, COUNT * 4, COUNT * 4, 1);
  copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(out.data(), COUNT * 4, COUNT * 4, 1);
  copy.memcpy.copyParams.extent = make_cudaExtent(COUNT * 4, 1, 1);
  copy.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  cudaEvent_t start, end, last;
  for (auto* event : {&start, &end, &last}) CHECK(cudaEventCreate(event));
  cudaGraphNodeParams record = of_type(cudaGraphNodeTypeEventRecord);
  record.eventRecord.event = start;
  cudaGraphNodeParams wait = of_type(cudaGraphNodeTypeWaitEvent);
  wait.eventWait.event = start;

  // The child adds twice.
  const cudaGraphNode_t inner = any_node(child, {}, kernel);
  any_node(child, {inner}, kernel);
  cudaGraphNodeParams nested = of_type(cudaGraphNodeTypeGraph);
  nested.graph.graph = child;

  const cudaGraphNode_t begins = any_node(graph, {}, record);
  const cudaGraphNode_t fills = any_node(graph, {begins}, fill);
  const cudaGraphNode_t adds = any_node(graph, {fills}, kernel);
  const cudaGraphNode_t waits = any_node(graph, {adds}, wait);
  const cudaGraphNode_t nests = any_node(graph, {waits}, nested);
  const cudaGraphNode_t nothing = any_node(graph, {nests}, of_type(cudaGraphNodeTypeEmpty));
  const cudaGraphNode_t copies = any_node(graph, {nothing}, copy);
  const cudaGraphNode_t calls_host = any_node(graph, {copies}, host);
  record.eventRecord.event = end;
  const cudaGraphNode_t ends = any_node(graph, {calls_host}, record);

  // What the graph is.
  cudaGraphNode_t found[16], targets[16];
  size_t count = 16;
  CHECK(cudaGraphNodeGetDependencies(adds, found, WITH_EDGES(&count)));
  expect(count == 1 && found[0] == fills, "what the kernel needs");
  CHECK(cudaGraphNodeGetDependentNodes(adds, nullptr, WITH_EDGES(&count)));
  same("dependents", count, size_t{1});
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, WITH_EDGES(&count)));
  same("edges", count, size_t{8});
  CHECK(cudaGraphGetEdges(graph, found, targets, WITH_EDGES(&count)));
  expect(found[7] == calls_host && targets[7] == ends, "the last edge");
  cudaMemsetParams filled;
  CHECK(cudaGraphMemsetNodeGetParams(fills, &filled));
  expect(filled.dst == address && filled.value == 100 && filled.width == COUNT, "the parameters of the fill");
  cudaMemcpy3DParms copied;
  CHECK(cudaGraphMemcpyNodeGetParams(copies, &copied));
  expect(copied.srcPtr.ptr == address && copied.dstPtr.ptr == out.data() && copied.extent.width == COUNT * 4,
         "the parameters of the copy");
  cudaHostNodeParams called;
  CHECK(cudaGraphHostNodeGetParams(calls_host, &called));
  expect(called.fn == call && called.userData == &one, "the parameters of the call");
  cudaEvent_t event;
  CHECK(cudaGraphEventRecordNodeGetEvent(ends, &event));
  expect(event == end, "the event");
  CHECK(cudaGraphEventWaitNodeGetEvent(waits, &event));
  expect(event == start, "the event that is waited for");

  int gone = 0;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, &gone, destroyed, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));

  cudaGraph_t clone;
  cudaGraphExec_t exec, cloned;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("sum", out, std::vector<int>(COUNT, 115));
  same("calls", calls, 1);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  expect(milliseconds >= 0, "times of events in a graph");

  // Changes of the executable graph, also in its child, leave the graph as it is.
  value = 7;
  CHECK(cudaGraphExecNodeSetParams(exec, adds, &kernel));
  host.host.userData = &two;
  CHECK(cudaGraphExecNodeSetParams(exec, calls_host, &host));
  cudaGraph_t own;
  CHECK(cudaGraphChildGraphNodeGetGraph(nests, &own));
  count = 2;
  CHECK(cudaGraphGetNodes(own, found, &count));
  CHECK(cudaGraphExecNodeSetParams(exec, found[1], &kernel));
  CHECK(cudaGraphExecEventRecordNodeSetEvent(exec, ends, last));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("changed", out, std::vector<int>(COUNT, 119));
  same("calls", calls, 3);
  CHECK(cudaEventElapsedTime(&milliseconds, start, last));
  CHECK(cudaGraphNodeSetEnabled(exec, adds, 0));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("without a node", out, std::vector<int>(COUNT, 112));

  // The clone has nodes of its own.
  cudaGraphNode_t of_clone;
  CHECK(cudaGraphNodeFindInClone(&of_clone, fills, clone));
  expect(of_clone != fills, "another node");
  fill.memset.value = 1;
  CHECK(cudaGraphNodeSetParams(of_clone, &fill));
  CHECK(cudaGraphNodeFindInClone(&of_clone, copies, clone));
  CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(of_clone, symbol, address, COUNT * 4, 0, cudaMemcpyDeviceToDevice));
  CHECK(cudaGraphInstantiate(&cloned, clone, 0));
  CHECK(cudaGraphLaunch(cloned, nullptr));
  CHECK(cudaMemcpyFromSymbol(out.data(), symbol, COUNT * 4));
  same("clone", out, std::vector<int>(COUNT, 16));
  // An update takes the parameters of the graph, with which this one began.
  cudaGraphExecUpdateResultInfo information;
  CHECK(cudaGraphExecUpdate(cloned, graph, &information));
  CHECK(cudaGraphLaunch(cloned, nullptr));
  CHECK(cudaDeviceSynchronize());
  same("updated", out, std::vector<int>(COUNT, 115));
  CHECK(cudaGraphNodeFindInClone(&of_clone, ends, clone));
  CHECK(cudaGraphDestroyNode(of_clone));
  same("differs", cudaGraphExecUpdate(cloned, clone, &information), cudaErrorGraphExecUpdateFailure);
  same("topology", information.result, cudaGraphExecUpdateErrorTopologyChanged);
  cudaGetLastError();

  CHECK(cudaGraphRemoveDependencies(graph, &adds, &waits, WITH_EDGES(1)));
  CHECK(cudaGraphAddDependencies(graph, &fills, &waits, WITH_EDGES(1)));
  count = 16;
  CHECK(cudaGraphNodeGetDependencies(waits, found, WITH_EDGES(&count)));
  expect(count == 1 && found[0] == fills, "another edge");

  same("kept by the graphs", gone, 0);
  for (const auto& one_graph : {graph, clone, child}) CHECK(cudaGraphDestroy(one_graph));
  CHECK(cudaGraphExecDestroy(cloned));
  same("kept by an executable graph", gone, 0);
  CHECK(cudaGraphExecDestroy(exec));
  same("destroyed", gone, 1);

  // A node becomes cooperative by an attribute.
  CHECK(cudaMemset(address, 0, 8));
  CHECK(cudaGraphCreate(&graph, 0));
  kernel.kernel.func = reinterpret_cast<void*>(meet);
  kernel.kernel.gridDim = dim3(8);
  const cudaGraphNode_t meets = any_node(graph, {}, kernel);
  cudaLaunchAttributeValue attribute = {};
  attribute.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(meets, cudaLaunchAttributeCooperative, &attribute));
  std::memset(&attribute, 0, sizeof attribute);
  CHECK(cudaGraphKernelNodeGetAttribute(meets, cudaLaunchAttributeCooperative, &attribute));
  same("attribute", attribute.cooperative, 1);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaMemcpy(out.data(), address, 8, cudaMemcpyDeviceToHost));
  same("cooperative", out[1], 8 * COUNT);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  return finish();
}
