// Memory that graphs allocate and free. A node's address is reserved when the node is added and stays with its graph
// and the copies of it; the memory is allocated from the launch of the node until it is freed, by a graph or by the
// program.
#include <string.h>

#include <algorithm>
#include <unordered_set>

#include "errors.h"
#include "graphs.h"
#include "memory.h"
#include "mutex.h"

namespace cudart {
namespace {

struct Reserved {
  Mutex mutex;
  std::unordered_map<uint64_t, GraphAllocation*> by_address;
  /** Of memory that is allocated, and of what a GPU would keep for it until it is trimmed; and the most of both. */
  uint64_t used = 0, most_used = 0, kept = 0, most_kept = 0;
};

Reserved& reserved() {
  static auto* made = new Reserved;
  return *made;
}

void add_ancestors(const Nodes& nodes, std::unordered_set<const GraphNode*>* found) {
  for (const auto* node : nodes)
    if (found->insert(node).second) add_ancestors(node->needs, found);
}

/** An allocation of the graph that is freed before a node that needs `needs` runs, and that nothing else uses then. */
std::shared_ptr<GraphAllocation> freed_before(const Graph& graph, const Nodes& needs, size_t bytes) {
  std::unordered_set<const GraphNode*> before;
  add_ancestors(needs, &before);
  for (const auto* node : graph.nodes) {
    const auto& one = node->work.allocation;
    if (node->work.type != Work::ALLOCATE || one->bytes < bytes) continue;
    size_t allocated = 0, allocated_before = 0, freed_before = 0;
    for (const auto* other : graph.nodes) {
      const bool is_before = before.count(other) != 0;
      if (other->work.type == Work::ALLOCATE && other->work.allocation == one) {
        allocated++;
        if (is_before) allocated_before++;
      }
      if (other->work.type == Work::FREE && other->work.address == one->address && is_before) freed_before++;
    }
    if (allocated == allocated_before && allocated == freed_before) return one;
  }
  return nullptr;
}

void take(GraphAllocation* one) {
  auto& all = reserved();
  one->live = one->shared_from_this();
  all.used += one->bytes;
  all.most_used = std::max(all.most_used, all.used);
  all.kept = std::max(all.kept, all.used);
  all.most_kept = std::max(all.most_kept, all.kept);
}

void give(GraphAllocation* one) {
  reserved().used -= one->bytes;
  one->live.reset();
}

Error free_leftovers(const Graph& graph, bool is_allowed) {
  for (const auto* node : graph.nodes) {
    if (node->work.child != nullptr)
      if (const Error error = free_leftovers(*node->work.child, is_allowed)) return error;
    if (node->work.type != Work::ALLOCATE || node->work.allocation->live == nullptr) continue;
    if (!is_allowed) return INVALID_VALUE;
    give(node->work.allocation.get());
  }
  return SUCCESS;
}

}  // namespace

GraphAllocation::~GraphAllocation() {
  if (address == 0) return;
  Hold hold(reserved().mutex);
  reserved().by_address.erase(address);
  free_device(address);
}

Error allocation_work(const Graph* graph, const Nodes& needs, AllocationParameters* given, Work* work) {
  if (given == nullptr || given->bytes == 0) return INVALID_VALUE;
  if (given->location.type != ON_THE_DEVICE) return INVALID_VALUE;
  if (given->location.id != 0) return INVALID_DEVICE;
  if (const Error error = allocate_in_graph(*graph, needs, given->bytes, work)) return error;
  given->address = reinterpret_cast<void*>(work->address);
  return SUCCESS;
}

Error reserve_memory(size_t bytes, std::shared_ptr<GraphAllocation>* made) {
  Hold hold(reserved().mutex);
  auto one = std::make_shared<GraphAllocation>();
  one->bytes = bytes;
  if (const Error error = allocate_device(bytes, 256, &one->address)) return error;
  reserved().by_address[one->address] = one.get();
  *made = one;
  return SUCCESS;
}

Error allocate_in_graph(const Graph& graph, const Nodes& needs, size_t bytes, Work* work) {
  Hold hold(reserved().mutex);
  auto one = freed_before(graph, needs, bytes);
  if (one == nullptr)
    if (const Error error = reserve_memory(bytes, &one)) return error;
  work->type = Work::ALLOCATE;
  work->address = one->address;
  work->bytes = bytes;
  work->allocation = one;
  return SUCCESS;
}

Error free_work(void* address, Work* work) {
  if (address == nullptr) return INVALID_VALUE;
  work->type = Work::FREE;
  work->address = reinterpret_cast<uint64_t>(address);
  return SUCCESS;
}

Error run_allocation(const Work& work) {
  Hold hold(reserved().mutex);
  if (work.allocation->live != nullptr) return INVALID_VALUE;
  take(work.allocation.get());
  return device_error();
}

bool free_graph_memory(uint64_t address, Error* error) {
  Hold hold(reserved().mutex);
  const auto found = reserved().by_address.find(address);
  if (found == reserved().by_address.end()) return false;
  const bool is_live = found->second->live != nullptr;
  if (is_live) give(found->second);
  *error = is_live ? device_error() : INVALID_VALUE;
  return true;
}

Error free_unless_live(const Graph& graph, bool is_allowed) {
  Hold hold(reserved().mutex);
  return free_leftovers(graph, is_allowed);
}

void forget_graph_memory() {
  auto& all = reserved();
  Hold hold(all.mutex);
  // Their memory is gone with the device; the objects stay with their graphs.
  for (const auto& [address, one] : std::unordered_map(all.by_address)) {
    one->address = 0;
    one->live.reset();
  }
  all.by_address.clear();
  all.used = all.most_used = all.kept = all.most_kept = 0;
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGraphMemAllocNodeGetParams(GraphNode* node, AllocationParameters* found) {
  if (node == nullptr || found == nullptr || node->work.type != Work::ALLOCATE) return result(INVALID_VALUE);
  constexpr int PINNED = 1;
  memset(found, 0, sizeof *found);
  found->type = PINNED;
  found->location = {ON_THE_DEVICE, 0};
  found->bytes = node->work.bytes;
  found->address = reinterpret_cast<void*>(node->work.address);
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphMemFreeNodeGetParams(GraphNode* node, void** address) {
  if (node == nullptr || address == nullptr || node->work.type != Work::FREE) return result(INVALID_VALUE);
  *address = reinterpret_cast<void*>(node->work.address);
  return SUCCESS;
}

namespace {

/** The counter that a `cudaGraphMemAttributeType` names; null for an unknown type. */
uint64_t* counter(int attribute) {
  auto& [mutex, by_address, used, most_used, kept, most_kept] = reserved();
  uint64_t* counters[] = {&used, &most_used, &kept, &most_kept};
  return attribute < 0 || attribute > 3 ? nullptr : counters[attribute];
}

}  // namespace

CUDART_EXPORT Error cudaDeviceGetGraphMemAttribute(int number, int attribute, uint64_t* value) {
  if (number != 0) return result(INVALID_DEVICE);
  Hold hold(reserved().mutex);
  const uint64_t* found = counter(attribute);
  if (found == nullptr || value == nullptr) return result(INVALID_VALUE);
  *value = *found;
  return result(device_error());
}
CUDART_EXPORT Error cudaDeviceSetGraphMemAttribute(int number, int attribute, const uint64_t* value) {
  if (number != 0) return result(INVALID_DEVICE);
  // The highest values may be set back to the current ones, which are before them.
  if (value == nullptr || *value != 0 || (attribute != 1 && attribute != 3)) return result(INVALID_VALUE);
  Hold hold(reserved().mutex);
  *counter(attribute) = *counter(attribute - 1);
  return result(device_error());
}
CUDART_EXPORT Error cudaDeviceGraphMemTrim(int number) {
  if (number != 0) return result(INVALID_DEVICE);
  Hold hold(reserved().mutex);
  reserved().kept = reserved().used;
  return result(device_error());
}
