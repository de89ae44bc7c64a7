// Graphs that programs build of nodes or capture, and their execution. An executable graph is a copy, so its nodes can be
// changed without changing the graph.
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <unordered_map>

#include "errors.h"
#include "host_memory.h"
#include "launch.h"
#include "memory.h"
#include "objects.h"

namespace cudart {

struct GraphExec {
  std::unique_ptr<Graph> graph;
  /** The copies of the nodes of the graph that it was made of. */
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  uint64_t flags = 0;
};

namespace {

struct KernelNodeParameters {
  const void* function;
  Dim3 grid, block;
  unsigned dynamic_bytes;
  void** arguments;
  void** extra;
};

struct MemsetParameters {
  void* target;
  size_t pitch;
  unsigned value, element_bytes;
  size_t width, height;
};

struct HostNodeParameters {
  HostFunction function;
  void* data;
};

using Nodes = std::vector<GraphNode*>;

std::unique_ptr<Graph> copy_of(const Graph& graph, std::unordered_map<const GraphNode*, GraphNode*>* copies) {
  auto copy = std::make_unique<Graph>();
  for (const auto* node : graph.nodes) {
    auto* made = add_node(copy.get(), node->work, {});
    made->enabled = node->enabled;
    (*copies)[node] = made;
  }
  for (const auto* node : graph.nodes)
    for (const auto* one : node->needs)
      if (copies->count(one) != 0) (*copies)[node]->needs.push_back((*copies)[one]);
  return copy;
}

Error add(GraphNode** made, Graph* graph, GraphNode* const* needs, size_t count, Error error, const Work& work) {
  if (error != SUCCESS) return result(error);
  if (made == nullptr || graph == nullptr || (needs == nullptr && count > 0)) return result(INVALID_VALUE);
  *made = add_node(graph, work, Nodes(needs, needs + count));
  return SUCCESS;
}

Error kernel_work(const KernelNodeParameters* given, Work* work) {
  if (given == nullptr) return INVALID_VALUE;
  return prepare_launch(given->function, {given->grid, given->block, {0, 0, 0}, given->dynamic_bytes, false},
                        given->arguments, given->extra, work);
}

Error plain_copy_work(const void* target, const void* source, size_t bytes, MemcpyKind kind, Work* work) {
  work->type = Work::COPY;
  work->copy = {reinterpret_cast<uint64_t>(target), reinterpret_cast<uint64_t>(source), 0, 0, bytes, 1, 1, bytes, bytes,
                bytes, bytes};
  return check_kind(work->copy, kind);
}

Error copy_work(const Memcpy3D* request, Work* work) {
  work->type = Work::COPY;
  if (const Error error = describe_copy(request, &work->copy)) return error;
  return check_kind(work->copy, request->kind);
}

Error fill_work(const MemsetParameters* given, Work* work) {
  if (given == nullptr) return INVALID_VALUE;
  const auto& [target, pitch, value, element_bytes, width, height] = *given;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) return INVALID_VALUE;
  const uint64_t row = uint64_t{width} * element_bytes;
  work->type = Work::FILL;
  work->fill = {reinterpret_cast<uint64_t>(target), value, element_bytes, row, height, 1, pitch, pitch * height};
  return SUCCESS;
}

Error host_work(const HostNodeParameters* given, Work* work) {
  if (given == nullptr || given->function == nullptr) return INVALID_VALUE;
  work->type = Work::HOST;
  work->function = given->function;
  work->data = given->data;
  return SUCCESS;
}

/** Replaces the work of a node; its kind stays. */
Error replace(GraphNode* node, Error error, const Work& work) {
  if (error != SUCCESS) return result(error);
  if (node == nullptr || node->work.type != work.type) return result(INVALID_VALUE);
  node->work = work;
  return SUCCESS;
}

GraphNode* copy_in(GraphExec* exec, const GraphNode* node) {
  if (exec == nullptr) return nullptr;
  const auto found = exec->copies.find(node);
  return found == exec->copies.end() ? nullptr : found->second;
}

Error list(const Nodes& found, GraphNode** nodes, size_t* count) {
  if (count == nullptr) return result(INVALID_VALUE);
  if (nodes != nullptr) {
    const size_t shown = std::min(*count, found.size());
    std::copy_n(found.begin(), shown, nodes);
    std::fill(nodes + shown, nodes + *count, nullptr);
  }
  *count = found.size();
  return SUCCESS;
}

}  // namespace
}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGraphCreate(Graph** graph, unsigned) {
  if (graph == nullptr) return result(INVALID_VALUE);
  *graph = new Graph;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphDestroy(Graph* graph) {
  if (graph == nullptr) return result(INVALID_VALUE);
  delete graph;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphClone(Graph** clone, Graph* graph) {
  if (clone == nullptr || graph == nullptr) return result(INVALID_VALUE);
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  *clone = copy_of(*graph, &copies).release();
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphInstantiate(GraphExec** exec, Graph* graph, unsigned long long flags) {
  if (exec == nullptr || graph == nullptr) return result(INVALID_VALUE);
  auto* made = new GraphExec;
  made->graph = copy_of(*graph, &made->copies);
  made->flags = flags;
  *exec = made;
  return result(device_error());
}
CUDART_ALSO(cudaGraphInstantiate, cudaGraphInstantiateWithFlags)
CUDART_EXPORT Error cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, const unsigned long long* given) {
  return cudaGraphInstantiate(exec, graph, *given);
}
CUDART_PTSZ(cudaGraphInstantiateWithParams)
CUDART_EXPORT Error cudaGraphExecGetFlags(GraphExec* exec, unsigned long long* flags) {
  *flags = exec->flags;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphExecDestroy(GraphExec* exec) {
  delete exec;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphUpload(GraphExec*, Stream*) { return result(device_error()); }
CUDART_PTSZ(cudaGraphUpload)
CUDART_EXPORT Error cudaGraphLaunch(GraphExec* exec, Stream* stream) {
  if (exec == nullptr) return result(INVALID_VALUE);
  if (const Error error = device_error()) return result(error);
  if (stream_of(stream)->capture == nullptr) return result(run_graph(*exec->graph));
  Work work;
  work.type = Work::CHILD;
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  work.child = copy_of(*exec->graph, &copies);
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaGraphLaunch)
CUDART_EXPORT Error cudaGraphExecUpdate(GraphExec* exec, Graph* graph, void* information) {
  // The result and the node of an error: 0 is success, 2 a topology that differs.
  struct Information {
    int result;
    GraphNode* node;
    GraphNode* from;
  };
  auto* told = static_cast<Information*>(information);
  if (exec == nullptr || graph == nullptr) return result(INVALID_VALUE);
  auto& own = exec->graph->nodes;
  bool same = own.size() == graph->nodes.size();
  for (size_t i = 0; same && i < own.size(); i++) same = own[i]->work.type == graph->nodes[i]->work.type;
  if (told != nullptr) *told = {same ? 0 : 2, nullptr, nullptr};
  if (!same) return result(GRAPH_UPDATE_FAILURE);
  exec->copies.clear();
  exec->graph = copy_of(*graph, &exec->copies);
  return SUCCESS;
}

CUDART_EXPORT Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const KernelNodeParameters* given) {
  Work work;
  const Error error = kernel_work(given, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const Memcpy3D* request) {
  Work work;
  const Error error = copy_work(request, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                             void* target, const void* source, size_t bytes, MemcpyKind kind) {
  Work work;
  const Error error = plain_copy_work(target, source, bytes, kind, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                                   size_t count, const void* symbol, const void* source, size_t bytes,
                                                   size_t offset, MemcpyKind kind) {
  Work work;
  uint64_t address = 0;
  Error error = symbol_address(symbol, offset, bytes, &address);
  if (error == SUCCESS) error = plain_copy_work(reinterpret_cast<void*>(address), source, bytes, kind, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                                     size_t count, void* target, const void* symbol, size_t bytes,
                                                     size_t offset, MemcpyKind kind) {
  Work work;
  uint64_t address = 0;
  Error error = symbol_address(symbol, offset, bytes, &address);
  if (error == SUCCESS) error = plain_copy_work(target, reinterpret_cast<void*>(address), bytes, kind, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const MemsetParameters* given) {
  Work work;
  const Error error = fill_work(given, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                         const HostNodeParameters* given) {
  Work work;
  const Error error = host_work(given, &work);
  return add(node, graph, needs, count, error, work);
}
CUDART_EXPORT Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count) {
  return add(node, graph, needs, count, SUCCESS, Work());
}
CUDART_EXPORT Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                               Graph* child) {
  if (child == nullptr) return result(INVALID_VALUE);
  Work work;
  work.type = Work::CHILD;
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  work.child = copy_of(*child, &copies);
  return add(node, graph, needs, count, SUCCESS, work);
}
CUDART_EXPORT Error cudaGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
  if (node == nullptr || node->work.child == nullptr) return result(INVALID_VALUE);
  *graph = node->work.child.get();
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                                Event* event) {
  Work work;
  work.type = Work::RECORD;
  work.event = event;
  return add(node, graph, needs, count, event == nullptr ? INVALID_VALUE : SUCCESS, work);
}
CUDART_EXPORT Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                              Event* event) {
  Work work;
  work.type = Work::WAIT;
  work.event = event;
  return add(node, graph, needs, count, event == nullptr ? INVALID_VALUE : SUCCESS, work);
}

CUDART_EXPORT Error cudaGraphKernelNodeGetParams(GraphNode* node, KernelNodeParameters* found) {
  if (node == nullptr || node->work.type != Work::LAUNCH) return result(INVALID_VALUE);
  auto& [type, kernel, launch, parameters, copy, fill, function, data, event, child, address] = node->work;
  node->arguments.clear();
  for (const auto& one : kernel->parameters) node->arguments.push_back(parameters.data() + one.offset);
  const auto triple = [](const uint32_t* sizes) { return Dim3{sizes[0], sizes[1], sizes[2]}; };
  *found = {kernel->host, triple(launch.grid), triple(launch.block), launch.dynamic_bytes, node->arguments.data(), nullptr};
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParameters* given) {
  Work work;
  const Error error = kernel_work(given, &work);
  return replace(node, error, work);
}
CUDART_EXPORT Error cudaGraphMemsetNodeSetParams(GraphNode* node, const MemsetParameters* given) {
  Work work;
  const Error error = fill_work(given, &work);
  return replace(node, error, work);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const Memcpy3D* request) {
  Work work;
  const Error error = copy_work(request, &work);
  return replace(node, error, work);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* target, const void* source, size_t bytes,
                                                   MemcpyKind kind) {
  Work work;
  const Error error = plain_copy_work(target, source, bytes, kind, &work);
  return replace(node, error, work);
}
CUDART_EXPORT Error cudaGraphHostNodeSetParams(GraphNode* node, const HostNodeParameters* given) {
  Work work;
  const Error error = host_work(given, &work);
  return replace(node, error, work);
}
CUDART_EXPORT Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                                     const KernelNodeParameters* given) {
  return cudaGraphKernelNodeSetParams(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node, const MemsetParameters* given) {
  return cudaGraphMemsetNodeSetParams(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node, const Memcpy3D* request) {
  return cudaGraphMemcpyNodeSetParams(copy_in(exec, node), request);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, GraphNode* node, void* target,
                                                       const void* source, size_t bytes, MemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParams1D(copy_in(exec, node), target, source, bytes, kind);
}
CUDART_EXPORT Error cudaGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node, const HostNodeParameters* given) {
  return cudaGraphHostNodeSetParams(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphNodeSetEnabled(GraphExec* exec, GraphNode* node, unsigned enabled) {
  GraphNode* own = copy_in(exec, node);
  if (own == nullptr) return result(INVALID_VALUE);
  own->enabled = enabled != 0;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphNodeGetEnabled(GraphExec* exec, GraphNode* node, unsigned* enabled) {
  const GraphNode* own = copy_in(exec, node);
  if (own == nullptr) return result(INVALID_VALUE);
  *enabled = own->enabled ? 1 : 0;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphNodeGetType(GraphNode* node, int* type) {
  if (node == nullptr || type == nullptr) return result(INVALID_VALUE);
  *type = node->work.type;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphGetNodes(Graph* graph, GraphNode** nodes, size_t* count) {
  if (graph == nullptr) return result(INVALID_VALUE);
  return list(graph->nodes, nodes, count);
}
CUDART_EXPORT Error cudaGraphGetRootNodes(Graph* graph, GraphNode** nodes, size_t* count) {
  if (graph == nullptr) return result(INVALID_VALUE);
  Nodes roots;
  std::copy_if(graph->nodes.begin(), graph->nodes.end(), std::back_inserter(roots),
               [](const GraphNode* node) { return node->needs.empty(); });
  return list(roots, nodes, count);
}
CUDART_EXPORT Error cudaGraphDestroyNode(GraphNode* node) {
  if (node == nullptr) return result(INVALID_VALUE);
  auto& nodes = node->graph->nodes;
  nodes.erase(std::remove(nodes.begin(), nodes.end(), node), nodes.end());
  for (auto* one : nodes) one->needs.erase(std::remove(one->needs.begin(), one->needs.end(), node), one->needs.end());
  delete node;
  return SUCCESS;
}

#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaGraphAddDependencies(Graph*, GraphNode* const* from, GraphNode* const* to, const void*,
                                             size_t count) {
#else
CUDART_EXPORT Error cudaGraphAddDependencies(Graph*, GraphNode* const* from, GraphNode* const* to, size_t count) {
#endif
  for (size_t i = 0; i < count; i++) to[i]->needs.push_back(from[i]);
  return SUCCESS;
}
