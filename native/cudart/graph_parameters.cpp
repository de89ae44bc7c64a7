// The parameters of nodes: the functions that return and change them, in a graph and in an executable graph.
#include <string.h>

#include "device.h"
#include "errors.h"
#include "graphs.h"
#include "launch.h"

namespace cudart {
namespace {

bool is(const GraphNode* node, Work::Type type) { return node != nullptr && node->work.type == type; }

/** Replaces the work of a node; its type stays. */
template <typename Make>
Error replace(GraphNode* node, Make make) {
  Work work;
  if (const Error error = make(&work)) return result(error);
  if (!is(node, work.type)) return result(INVALID_VALUE);
  node->work = work;
  return SUCCESS;
}

Error set_kernel(GraphNode* node, const KernelNodeParameters* given) {
  if (!is(node, Work::LAUNCH)) return result(INVALID_VALUE);
  return replace(node, [&](Work* work) { return kernel_work(given, &node->work.launch, work); });
}
Error set_copy(GraphNode* node, const Memcpy3D* request) {
  return replace(node, [&](Work* work) { return copy_work(request, work); });
}
Error set_plain_copy(GraphNode* node, void* target, const void* source, size_t bytes, MemcpyKind kind) {
  return replace(node, [&](Work* work) { return plain_copy_work(target, source, bytes, kind, work); });
}
Error set_symbol_copy(GraphNode* node, const void* symbol, size_t offset, const void* other, size_t bytes,
                      MemcpyKind kind, bool to_symbol) {
  return replace(node, [&](Work* work) {
    return symbol_copy_work(symbol, offset, other, bytes, kind, to_symbol, work);
  });
}
Error set_fill(GraphNode* node, const MemsetParameters* given) {
  return replace(node, [&](Work* work) { return fill_work(given, work); });
}
Error set_host(GraphNode* node, const HostNodeParameters* given) {
  return replace(node, [&](Work* work) { return host_work(given, work); });
}
Error set_child(GraphNode* node, const Graph* child) {
  return replace(node, [&](Work* work) { return child_work(child, work); });
}
Error set_event(GraphNode* node, Work::Type type, Event* event) {
  return replace(node, [&](Work* work) { return event_work(type, event, work); });
}

/** Allocations and conditions are not changed after they are made. */
Error set_any(GraphNode* node, const NodeParameters* given) {
  if (given == nullptr) return result(INVALID_VALUE);
  switch (given->type) {
    case Work::LAUNCH:
      return set_kernel(node, &given->kernel);
    case Work::COPY:
      return set_copy(node, &given->copy.request);
    case Work::FILL:
      return set_fill(node, &given->fill);
    case Work::HOST:
      return set_host(node, &given->host);
    case Work::CHILD:
      return set_child(node, given->child);
    case Work::WAIT:
    case Work::RECORD:
      return set_event(node, static_cast<Work::Type>(given->type), given->event);
    default:
      return result(INVALID_VALUE);
  }
}

Error get_event(const GraphNode* node, Work::Type type, Event** event) {
  if (!is(node, type) || event == nullptr) return result(INVALID_VALUE);
  *event = node->work.event;
  return SUCCESS;
}

/** A copy as `cudaMemcpy3D` would state it. */
Memcpy3D request_of(const Work& work) {
  if (work.request != nullptr) return *work.request;
  const auto side = [](uint64_t address, uint64_t pitch, uint64_t slice, uint64_t width) {
    return PitchedPointer{reinterpret_cast<void*>(address), pitch, width, pitch == 0 ? 1 : slice / pitch};
  };
  const auto& copy = work.copy;
  return {nullptr,
          {0, 0, 0},
          side(copy.source, copy.source_pitch, copy.source_slice, copy.width),
          nullptr,
          {0, 0, 0},
          side(copy.target, copy.target_pitch, copy.target_slice, copy.width),
          {copy.width, copy.height, copy.depth},
          DEFAULT_KIND};
}

Dim3 triple(const uint32_t* sizes) { return {sizes[0], sizes[1], sizes[2]}; }

Error set_attribute(GraphNode* node, int id, const AttributeValue* value) {
  if (!is(node, Work::LAUNCH) || value == nullptr) return INVALID_VALUE;
  if (const Error error = check_attribute(id, *value)) return error;
  LaunchMessage launch = node->work.launch;
  if (id == COOPERATIVE) launch.cooperative = value->number != 0 ? 1 : 0;
  if (id == CLUSTER_DIMENSION) {
    const auto& [x, y, z] = value->dimensions;
    launch.cluster[0] = x, launch.cluster[1] = y, launch.cluster[2] = z;
  }
  const LaunchShape shape{triple(launch.grid), triple(launch.block), triple(launch.cluster), launch.dynamic_bytes,
                          launch.cooperative != 0};
  if (const Error error = check_shape(*node->work.kernel, shape)) return error;
  node->work.launch = launch;
  node->attributes[id] = *value;
  return SUCCESS;
}

}  // namespace
}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGraphKernelNodeGetParams(GraphNode* node, KernelNodeParameters* found) {
  if (!is(node, Work::LAUNCH) || found == nullptr) return result(INVALID_VALUE);
  auto& work = node->work;
  node->arguments.clear();
  for (const auto& one : work.kernel->parameters) node->arguments.push_back(work.parameters.data() + one.offset);
  *found = {work.kernel->host,         triple(work.launch.grid), triple(work.launch.block),
            work.launch.dynamic_bytes, node->arguments.data(),   nullptr};
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphMemcpyNodeGetParams(GraphNode* node, Memcpy3D* found) {
  if (!is(node, Work::COPY) || found == nullptr) return result(INVALID_VALUE);
  *found = request_of(node->work);
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphMemsetNodeGetParams(GraphNode* node, MemsetParameters* found) {
  if (!is(node, Work::FILL) || found == nullptr) return result(INVALID_VALUE);
  const auto& [target, value, value_bytes, width, height, depth, pitch, slice] = node->work.fill;
  *found = {reinterpret_cast<void*>(target), pitch, value, value_bytes, width / value_bytes, height};
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphHostNodeGetParams(GraphNode* node, HostNodeParameters* found) {
  if (!is(node, Work::HOST) || found == nullptr) return result(INVALID_VALUE);
  *found = {node->work.function, node->work.data};
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphChildGraphNodeGetGraph(GraphNode* node, Graph** graph) {
  if (!is(node, Work::CHILD) || graph == nullptr) return result(INVALID_VALUE);
  *graph = node->work.child.get();
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphEventRecordNodeGetEvent(GraphNode* node, Event** event) {
  return get_event(node, Work::RECORD, event);
}
CUDART_EXPORT Error cudaGraphEventWaitNodeGetEvent(GraphNode* node, Event** event) {
  return get_event(node, Work::WAIT, event);
}

CUDART_EXPORT Error cudaGraphKernelNodeSetParams(GraphNode* node, const KernelNodeParameters* given) {
  return set_kernel(node, given);
}
CUDART_EXPORT Error cudaGraphMemsetNodeSetParams(GraphNode* node, const MemsetParameters* given) {
  return set_fill(node, given);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParams(GraphNode* node, const Memcpy3D* request) {
  return set_copy(node, request);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParams1D(GraphNode* node, void* target, const void* source, size_t bytes,
                                                   MemcpyKind kind) {
  return set_plain_copy(node, target, source, bytes, kind);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParamsToSymbol(GraphNode* node, const void* symbol, const void* source,
                                                         size_t bytes, size_t offset, MemcpyKind kind) {
  return set_symbol_copy(node, symbol, offset, source, bytes, kind, true);
}
CUDART_EXPORT Error cudaGraphMemcpyNodeSetParamsFromSymbol(GraphNode* node, void* target, const void* symbol,
                                                           size_t bytes, size_t offset, MemcpyKind kind) {
  return set_symbol_copy(node, symbol, offset, target, bytes, kind, false);
}
CUDART_EXPORT Error cudaGraphHostNodeSetParams(GraphNode* node, const HostNodeParameters* given) {
  return set_host(node, given);
}
CUDART_EXPORT Error cudaGraphEventRecordNodeSetEvent(GraphNode* node, Event* event) {
  return set_event(node, Work::RECORD, event);
}
CUDART_EXPORT Error cudaGraphEventWaitNodeSetEvent(GraphNode* node, Event* event) {
  return set_event(node, Work::WAIT, event);
}
CUDART_EXPORT Error cudaGraphNodeSetParams(GraphNode* node, const NodeParameters* given) {
  return set_any(node, given);
}

CUDART_EXPORT Error cudaGraphExecKernelNodeSetParams(GraphExec* exec, GraphNode* node,
                                                     const KernelNodeParameters* given) {
  return set_kernel(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphExecMemsetNodeSetParams(GraphExec* exec, GraphNode* node, const MemsetParameters* given) {
  return set_fill(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParams(GraphExec* exec, GraphNode* node, const Memcpy3D* request) {
  return set_copy(copy_in(exec, node), request);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParams1D(GraphExec* exec, GraphNode* node, void* target,
                                                       const void* source, size_t bytes, MemcpyKind kind) {
  return set_plain_copy(copy_in(exec, node), target, source, bytes, kind);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParamsToSymbol(GraphExec* exec, GraphNode* node, const void* symbol,
                                                             const void* source, size_t bytes, size_t offset,
                                                             MemcpyKind kind) {
  return set_symbol_copy(copy_in(exec, node), symbol, offset, source, bytes, kind, true);
}
CUDART_EXPORT Error cudaGraphExecMemcpyNodeSetParamsFromSymbol(GraphExec* exec, GraphNode* node, void* target,
                                                               const void* symbol, size_t bytes, size_t offset,
                                                               MemcpyKind kind) {
  return set_symbol_copy(copy_in(exec, node), symbol, offset, target, bytes, kind, false);
}
CUDART_EXPORT Error cudaGraphExecHostNodeSetParams(GraphExec* exec, GraphNode* node, const HostNodeParameters* given) {
  return set_host(copy_in(exec, node), given);
}
CUDART_EXPORT Error cudaGraphExecChildGraphNodeSetParams(GraphExec* exec, GraphNode* node, Graph* child) {
  return set_child(copy_in(exec, node), child);
}
CUDART_EXPORT Error cudaGraphExecEventRecordNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
  return set_event(copy_in(exec, node), Work::RECORD, event);
}
CUDART_EXPORT Error cudaGraphExecEventWaitNodeSetEvent(GraphExec* exec, GraphNode* node, Event* event) {
  return set_event(copy_in(exec, node), Work::WAIT, event);
}
CUDART_EXPORT Error cudaGraphExecNodeSetParams(GraphExec* exec, GraphNode* node, const NodeParameters* given) {
  return set_any(copy_in(exec, node), given);
}

CUDART_EXPORT Error cudaGraphKernelNodeSetAttribute(GraphNode* node, int id, const AttributeValue* value) {
  return result(set_attribute(node, id, value));
}
CUDART_EXPORT Error cudaGraphKernelNodeGetAttribute(GraphNode* node, int id, AttributeValue* value) {
  if (!is(node, Work::LAUNCH) || value == nullptr) return result(INVALID_VALUE);
  memset(value, 0, sizeof *value);
  const auto found = node->attributes.find(id);
  if (found != node->attributes.end()) *value = found->second;
  // A capture knows these from the launch.
  if (id == COOPERATIVE) value->number = static_cast<int>(node->work.launch.cooperative);
  if (id == CLUSTER_DIMENSION) value->dimensions = triple(node->work.launch.cluster);
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphKernelNodeCopyAttributes(GraphNode* target, GraphNode* source) {
  if (!is(source, Work::LAUNCH) || !is(target, Work::LAUNCH)) return result(INVALID_VALUE);
  for (const auto& [id, value] : source->attributes)
    if (const Error error = set_attribute(target, id, &value)) return result(error);
  return SUCCESS;
}
