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
  /** Pointers to the parameters of a kernel, for a caller that asks for them. */
  std::vector<void*> arguments;
};

struct Graph {
  uint64_t id = 0;
  /** In the order of their creation, in which they run unless an edge says otherwise. */
  std::vector<GraphNode*> nodes;
  ~Graph() {
    for (auto* node : nodes) delete node;
  }
};

/** The stream of a handle: the default stream for null and the handles of the legacy and the per-thread stream. */
Stream* stream_of(Stream* handle);

/** Adds a node to a graph. */
GraphNode* add_node(Graph* graph, const Work& work, const std::vector<GraphNode*>& needs);

/** Runs the nodes of a graph. */
Error run_graph(const Graph& graph);

}  // namespace cudart
