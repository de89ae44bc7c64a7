// Streams, events and graphs as objects of the program.
#pragma once
#include <map>

#include "streams.h"

namespace cudart {

struct Stream {
  uint32_t magic = 0x5354524d;
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  /** Attributes that the program has set, by their numbers. */
  std::map<int, AttributeValue> attributes;
  /** The graph that this stream's work goes to, and the nodes that the next one depends on. */
  Graph* capture = nullptr;
  std::vector<GraphNode*> last;
  /** Whether the capture began in this stream. */
  bool is_origin = false;
};

struct Event {
  uint32_t id = 0;
  unsigned flags = 0;
  bool recorded = false;
  /** When it was recorded during a capture: the nodes to wait for. */
  Graph* capture = nullptr;
  std::vector<GraphNode*> nodes;
};

struct GraphNode {
  Graph* graph = nullptr;
  Work work;
  std::vector<GraphNode*> needs;
  bool enabled = true;
  /** The node that this one is a copy of. */
  const GraphNode* original = nullptr;
  /** Attributes that the program has set, by their numbers. */
  std::map<int, AttributeValue> attributes;
  /** Pointers to the parameters of a kernel, for a caller that asks for them. */
  std::vector<void*> arguments;
};

/** Memory that a graph allocates. Graphs share it with their copies. */
struct GraphAllocation : std::enable_shared_from_this<GraphAllocation> {
  uint64_t address = 0;
  size_t bytes = 0;
  /** Itself while it is allocated, because it may stay so for longer than its graph exists. */
  std::shared_ptr<GraphAllocation> live;
  ~GraphAllocation();
};

/** The value that decides about a conditional node, at an address of the device, and what a launch sets it to. */
struct ConditionalHandle {
  std::shared_ptr<GraphAllocation> memory;
  uint32_t value = 0;
  bool is_assigned = false;
};

struct Conditional {
  uint64_t handle = 0;
  int type = 0;
  std::vector<std::shared_ptr<Graph>> bodies;
  /** The same as the list that the program gets. */
  std::vector<Graph*> shown;
  void add(std::shared_ptr<Graph> body);
};

struct UserObject;

struct Graph {
  uint64_t id = 0;
  /** In the order of their creation, in which they run unless an edge says otherwise. */
  std::vector<GraphNode*> nodes;
  std::vector<std::shared_ptr<ConditionalHandle>> handles;
  /** One for each reference. */
  std::vector<UserObject*> objects;
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();
};

/** The stream of a handle: the default stream for null and the handles of the legacy and the per-thread stream. */
Stream* stream_of(Stream* handle);

/** A number that no other stream, event or graph has. */
uint64_t next_id();

/** From now on, the stream's work goes to the graph. */
void join_capture(Stream* stream, Graph* graph);

/** Takes the time of an event when the work before it is done. */
Error record_event(const Event& event);

/** Adds a node to a graph. */
GraphNode* add_node(Graph* graph, const Work& work, const std::vector<GraphNode*>& needs);

/** Runs the nodes of a graph, and the bodies of a conditional node. */
Error run_graph(const Graph& graph);
Error run_conditional(const Conditional& conditional);

/** Reserves memory of a graph, which stays until the last graph that has it is destroyed. */
Error reserve_memory(size_t bytes, std::shared_ptr<GraphAllocation>* made);
/** Reserves memory for an allocation node. Memory that the graph frees before is used again. */
Error allocate_in_graph(const Graph& graph, const std::vector<GraphNode*>& needs, size_t bytes, Work* work);
/** What an allocation node does. */
Error run_allocation(const Work& work);
/** Frees memory that a graph has allocated; false if it is other memory. */
bool free_graph_memory(uint64_t address, Error* error);
/** Frees what earlier launches of a graph have left allocated; INVALID_VALUE if that is not allowed. */
Error free_unless_live(const Graph& graph, bool is_allowed);
/** After a reset of the device: all memory is gone. */
void forget_graph_memory();

/** Whether a hint to the hardware is a valid one. */
Error check_attribute(int id, const AttributeValue& value);

}  // namespace cudart
