// Nodes of graphs and their order.
#include <algorithm>
#include <unordered_set>

#include "objects.h"

namespace cudart {
namespace {

Error run_after_needs(const GraphNode* node, std::unordered_set<const GraphNode*>* done) {
  if (!done->insert(node).second) return SUCCESS;
  for (const auto* one : node->needs)
    if (const Error error = run_after_needs(one, done)) return error;
  return node->enabled ? run(node->work) : SUCCESS;
}

}  // namespace

GraphNode* add_node(Graph* graph, const Work& work, const std::vector<GraphNode*>& needs) {
  auto* node = new GraphNode;
  node->graph = graph;
  node->work = work;
  for (auto* one : needs)
    if (std::find(node->needs.begin(), node->needs.end(), one) == node->needs.end()) node->needs.push_back(one);
  graph->nodes.push_back(node);
  return node;
}

Error run_graph(const Graph& graph) {
  std::unordered_set<const GraphNode*> done;
  for (const auto* node : graph.nodes)
    if (const Error error = run_after_needs(node, &done)) return error;
  return SUCCESS;
}

}  // namespace cudart
