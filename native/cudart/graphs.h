// Graphs as the functions see them that build, change, copy and launch them.
#pragma once
#include <unordered_map>

#include "objects.h"

namespace cudart {

using Nodes = std::vector<GraphNode*>;
/** The copies of the nodes of a graph and of the graphs in it. */
using Copies = std::unordered_map<const GraphNode*, GraphNode*>;

struct GraphExec {
  std::unique_ptr<Graph> graph;
  Copies copies;
  uint64_t flags = 0;
};

constexpr uint64_t AUTO_FREE_ON_LAUNCH = 1;

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

struct AllocationParameters {
  int type, handle_types;
  Location location;
  void* security;
  size_t most_bytes;
  char reserved[56];
  const void* access;
  size_t access_count, bytes;
  void* address;
};

struct ConditionalParameters {
  uint64_t handle;
  int type;
  unsigned size;
  Graph** bodies;
  void* context;
};

/** What `cudaGraphAddNode` gets. */
struct NodeParameters {
  int type;
  int reserved[3];
  union {
    long long padding[29];
    KernelNodeParameters kernel;
    struct {
      int flags, reserved[3];
      Memcpy3D request;
    } copy;
    MemsetParameters fill;
    HostNodeParameters host;
    Graph* child;
    Event* event;
    AllocationParameters allocation;
    void* address;
    ConditionalParameters conditional;
  };
  long long last;
};
static_assert(sizeof(AllocationParameters) == 120 && sizeof(NodeParameters) == 256, "as CUDA 12 and 13 have them");

/** A deep copy. */
std::unique_ptr<Graph> copy_of(const Graph& graph, Copies* copies);
/** The executable graph's copy of a node; null if it has none. */
GraphNode* copy_in(GraphExec* exec, const GraphNode* node);

/** The work of nodes, from what programs state. A kernel keeps the attributes that its last launch message has. */
Error kernel_work(const KernelNodeParameters* given, const LaunchMessage* attributes, Work* work);
Error plain_copy_work(const void* target, const void* source, size_t bytes, MemcpyKind kind, Work* work);
Error symbol_copy_work(const void* symbol, size_t offset, const void* other, size_t bytes, MemcpyKind kind,
                       bool to_symbol, Work* work);
Error copy_work(const Memcpy3D* request, Work* work);
Error fill_work(const MemsetParameters* given, Work* work);
Error host_work(const HostNodeParameters* given, Work* work);
Error child_work(const Graph* child, Work* work);
Error event_work(Work::Type type, Event* event, Work* work);
/** Reserves the memory of an allocation node, and writes its address. */
Error allocation_work(const Graph* graph, const Nodes& needs, AllocationParameters* given, Work* work);
Error free_work(void* address, Work* work);
/** Creates the bodies of a conditional node. */
Error conditional_work(ConditionalParameters* given, Work* work);

/** What `cudaGraphLaunch` does before the nodes run: memory that is still allocated, and values of conditions. */
Error begin_launch(const Graph& graph, uint64_t flags);

/** User objects that a graph holds, which are released with it. */
void retain_objects(const Graph& from, Graph* to);

}  // namespace cudart
