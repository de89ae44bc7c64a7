// The nodes of graphs: their work, from the parameters that programs state, and the functions that add them.
#include "errors.h"
#include "graphs.h"
#include "launch.h"
#include "memory.h"

namespace cudart {

Error kernel_work(const KernelNodeParameters* given, const LaunchMessage* attributes, Work* work) {
  if (given == nullptr) return INVALID_VALUE;
  LaunchShape shape{given->grid, given->block, {0, 0, 0}, given->dynamic_bytes, false};
  if (attributes != nullptr) {
    const auto& [x, y, z] = attributes->cluster;
    shape.cluster = {x, y, z};
    shape.cooperative = attributes->cooperative != 0;
  }
  return prepare_launch(given->function, shape, given->arguments, given->extra, work);
}

Error plain_copy_work(const void* target, const void* source, size_t bytes, MemcpyKind kind, Work* work) {
  work->type = Work::COPY;
  work->copy = {reinterpret_cast<uint64_t>(target), reinterpret_cast<uint64_t>(source), 0, 0, bytes, 1, 1, bytes, bytes,
                bytes, bytes};
  return check_kind(work->copy, kind);
}

Error symbol_copy_work(const void* symbol, size_t offset, const void* other, size_t bytes, MemcpyKind kind,
                       bool to_symbol, Work* work) {
  uint64_t address = 0;
  if (const Error error = symbol_address(symbol, offset, bytes, &address)) return error;
  const void* own = reinterpret_cast<void*>(address);
  return plain_copy_work(to_symbol ? own : other, to_symbol ? other : own, bytes, kind, work);
}

Error copy_work(const Memcpy3D* request, Work* work) {
  work->type = Work::COPY;
  if (const Error error = describe_copy(request, &work->copy)) return error;
  work->request = std::make_shared<const Memcpy3D>(*request);
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

Error child_work(const Graph* child, Work* work) {
  if (child == nullptr) return INVALID_VALUE;
  work->type = Work::CHILD;
  Copies copies;
  work->child = copy_of(*child, &copies);
  return SUCCESS;
}

Error event_work(Work::Type type, Event* event, Work* work) {
  if (event == nullptr) return INVALID_VALUE;
  work->type = type;
  work->event = event;
  return SUCCESS;
}

namespace {

/** @param make fills in the work of the node, which is an empty one before */
template <typename Make>
Error add(GraphNode** made, Graph* graph, GraphNode* const* needs, size_t count, Make make) {
  Work work;
  if (const Error error = make(&work)) return result(error);
  if (made == nullptr || graph == nullptr || (needs == nullptr && count > 0)) return result(INVALID_VALUE);
  *made = add_node(graph, work, Nodes(needs, needs + count));
  return SUCCESS;
}

/** The work of a node of any type. */
Error work_of(NodeParameters* given, const Graph* graph, const Nodes& needs, Work* work) {
  switch (given->type) {
    case Work::LAUNCH:
      return kernel_work(&given->kernel, nullptr, work);
    case Work::COPY:
      return copy_work(&given->copy.request, work);
    case Work::FILL:
      return fill_work(&given->fill, work);
    case Work::HOST:
      return host_work(&given->host, work);
    case Work::CHILD:
      return child_work(given->child, work);
    case Work::EMPTY:
      return SUCCESS;
    case Work::WAIT:
    case Work::RECORD:
      return event_work(static_cast<Work::Type>(given->type), given->event, work);
    case Work::ALLOCATE:
      return allocation_work(graph, needs, &given->allocation, work);
    case Work::FREE:
      return free_work(given->address, work);
    case Work::CONDITIONAL:
      return conditional_work(&given->conditional, work);
    default:
      complain("expected a node of a graph that the emulator has, found one for an external semaphore");
      return NOT_SUPPORTED;
  }
}

}  // namespace
}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const KernelNodeParameters* given) {
  return add(node, graph, needs, count, [&](Work* work) { return kernel_work(given, nullptr, work); });
}
CUDART_EXPORT Error cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const Memcpy3D* request) {
  return add(node, graph, needs, count, [&](Work* work) { return copy_work(request, work); });
}
CUDART_EXPORT Error cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                             void* target, const void* source, size_t bytes, MemcpyKind kind) {
  return add(node, graph, needs, count, [&](Work* work) { return plain_copy_work(target, source, bytes, kind, work); });
}
CUDART_EXPORT Error cudaGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                                   size_t count, const void* symbol, const void* source, size_t bytes,
                                                   size_t offset, MemcpyKind kind) {
  return add(node, graph, needs, count, [&](Work* work) {
    return symbol_copy_work(symbol, offset, source, bytes, kind, true, work);
  });
}
CUDART_EXPORT Error cudaGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph, GraphNode* const* needs,
                                                     size_t count, void* target, const void* symbol, size_t bytes,
                                                     size_t offset, MemcpyKind kind) {
  return add(node, graph, needs, count, [&](Work* work) {
    return symbol_copy_work(symbol, offset, target, bytes, kind, false, work);
  });
}
CUDART_EXPORT Error cudaGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                           const MemsetParameters* given) {
  return add(node, graph, needs, count, [&](Work* work) { return fill_work(given, work); });
}
CUDART_EXPORT Error cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                         const HostNodeParameters* given) {
  return add(node, graph, needs, count, [&](Work* work) { return host_work(given, work); });
}
CUDART_EXPORT Error cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count) {
  return add(node, graph, needs, count, [](Work*) { return SUCCESS; });
}
CUDART_EXPORT Error cudaGraphAddChildGraphNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                               Graph* child) {
  return add(node, graph, needs, count, [&](Work* work) { return child_work(child, work); });
}
CUDART_EXPORT Error cudaGraphAddEventRecordNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                                Event* event) {
  return add(node, graph, needs, count, [&](Work* work) { return event_work(Work::RECORD, event, work); });
}
CUDART_EXPORT Error cudaGraphAddEventWaitNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                              Event* event) {
  return add(node, graph, needs, count, [&](Work* work) { return event_work(Work::WAIT, event, work); });
}
CUDART_EXPORT Error cudaGraphAddMemAllocNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                             AllocationParameters* given) {
  if (graph == nullptr || (needs == nullptr && count > 0)) return result(INVALID_VALUE);
  return add(node, graph, needs, count, [&](Work* work) {
    return allocation_work(graph, Nodes(needs, needs + count), given, work);
  });
}
CUDART_EXPORT Error cudaGraphAddMemFreeNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                            void* address) {
  return add(node, graph, needs, count, [&](Work* work) { return free_work(address, work); });
}

#if MM_PTX_CUDART_VERSION < 13
CUDART_EXPORT Error cudaGraphAddNode(GraphNode** node, Graph* graph, GraphNode* const* needs, size_t count,
                                     NodeParameters* given) {
  if (given == nullptr || graph == nullptr || (needs == nullptr && count > 0)) return result(INVALID_VALUE);
  return add(node, graph, needs, count, [&](Work* work) {
    return work_of(given, graph, Nodes(needs, needs + count), work);
  });
}
#endif
// Edges may say that a node begins early; nodes run one after another here.
CUDART_EXPORT Error cudaGraphAddNode_v2(GraphNode** node, Graph* graph, GraphNode* const* needs, const void*,
                                        size_t count, NodeParameters* given) {
  if (given == nullptr || graph == nullptr || (needs == nullptr && count > 0)) return result(INVALID_VALUE);
  return add(node, graph, needs, count, [&](Work* work) {
    return work_of(given, graph, Nodes(needs, needs + count), work);
  });
}
#if MM_PTX_CUDART_VERSION >= 13
CUDART_ALSO(cudaGraphAddNode_v2, cudaGraphAddNode)
#endif
