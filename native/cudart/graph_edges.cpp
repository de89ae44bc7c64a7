// The nodes of a graph and the edges between them, as lists, and the functions that add and remove them.
#include <stdio.h>

#include <algorithm>

#include "errors.h"
#include "graphs.h"

namespace cudart {
namespace {

/** Fills a list of the caller, whose length is in `count`, and writes how many there are if it asks for none. */
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

Error list_edges(Graph* graph, GraphNode** from, GraphNode** to, size_t* count) {
  if (graph == nullptr) return result(INVALID_VALUE);
  Nodes sources, targets;
  for (auto* node : graph->nodes)
    for (auto* one : node->needs) sources.push_back(one), targets.push_back(node);
  size_t own = count == nullptr ? 0 : *count;
  if (const Error error = list(sources, from, &own)) return error;
  return list(targets, to, count);
}

Error list_needs(GraphNode* node, GraphNode** nodes, size_t* count) {
  if (node == nullptr) return result(INVALID_VALUE);
  return list(node->needs, nodes, count);
}

bool needs(const GraphNode* node, const GraphNode* other) {
  return std::find(node->needs.begin(), node->needs.end(), other) != node->needs.end();
}

Error list_dependents(GraphNode* node, GraphNode** nodes, size_t* count) {
  if (node == nullptr) return result(INVALID_VALUE);
  Nodes found;
  for (auto* one : node->graph->nodes)
    if (needs(one, node)) found.push_back(one);
  return list(found, nodes, count);
}

Error add_edges(GraphNode* const* from, GraphNode* const* to, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (from[i]->graph != to[i]->graph || needs(to[i], from[i])) return result(INVALID_VALUE);
    to[i]->needs.push_back(from[i]);
  }
  return SUCCESS;
}

Error remove_edges(GraphNode* const* from, GraphNode* const* to, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!needs(to[i], from[i])) return result(INVALID_VALUE);
    auto& all = to[i]->needs;
    all.erase(std::remove(all.begin(), all.end(), from[i]), all.end());
  }
  return SUCCESS;
}

const char* name_of(const Work& work) {
  constexpr const char* NAMES[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "EVENT_WAIT", "EVENT_RECORD",
                                   "",       "",       "MEM_ALLOC", "MEM_FREE", "", "CONDITIONAL"};
  return work.type == Work::LAUNCH ? work.kernel->name.c_str() : NAMES[work.type];
}

}  // namespace
}  // namespace cudart

using namespace cudart;

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

// Edges have properties, of which programs may ask for none: all are zero, which is that of a plain edge.
#define EDGES_OF_CUDA_13(name)                                                                                        \
  CUDART_EXPORT Error cudaGraphGetEdges##name(Graph* graph, GraphNode** from, GraphNode** to, uint64_t* edges,        \
                                              size_t* count) {                                                        \
    if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, 0);                                          \
    return list_edges(graph, from, to, count);                                                                        \
  }                                                                                                                   \
  CUDART_EXPORT Error cudaGraphNodeGetDependencies##name(GraphNode* node, GraphNode** nodes, uint64_t* edges,         \
                                                         size_t* count) {                                             \
    if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, 0);                                          \
    return list_needs(node, nodes, count);                                                                            \
  }                                                                                                                   \
  CUDART_EXPORT Error cudaGraphNodeGetDependentNodes##name(GraphNode* node, GraphNode** nodes, uint64_t* edges,       \
                                                           size_t* count) {                                           \
    if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, 0);                                          \
    return list_dependents(node, nodes, count);                                                                       \
  }                                                                                                                   \
  CUDART_EXPORT Error cudaGraphAddDependencies##name(Graph*, GraphNode* const* from, GraphNode* const* to,            \
                                                     const void*, size_t count) {                                     \
    return add_edges(from, to, count);                                                                                \
  }                                                                                                                   \
  CUDART_EXPORT Error cudaGraphRemoveDependencies##name(Graph*, GraphNode* const* from, GraphNode* const* to,         \
                                                        const void*, size_t count) {                                  \
    return remove_edges(from, to, count);                                                                             \
  }

EDGES_OF_CUDA_13(_v2)
#if MM_PTX_CUDART_VERSION >= 13
EDGES_OF_CUDA_13()
#else
CUDART_EXPORT Error cudaGraphGetEdges(Graph* graph, GraphNode** from, GraphNode** to, size_t* count) {
  return list_edges(graph, from, to, count);
}
CUDART_EXPORT Error cudaGraphNodeGetDependencies(GraphNode* node, GraphNode** nodes, size_t* count) {
  return list_needs(node, nodes, count);
}
CUDART_EXPORT Error cudaGraphNodeGetDependentNodes(GraphNode* node, GraphNode** nodes, size_t* count) {
  return list_dependents(node, nodes, count);
}
CUDART_EXPORT Error cudaGraphAddDependencies(Graph*, GraphNode* const* from, GraphNode* const* to, size_t count) {
  return add_edges(from, to, count);
}
CUDART_EXPORT Error cudaGraphRemoveDependencies(Graph*, GraphNode* const* from, GraphNode* const* to, size_t count) {
  return remove_edges(from, to, count);
}
#endif

CUDART_EXPORT Error cudaGraphDebugDotPrint(Graph* graph, const char* path, unsigned) {
  if (graph == nullptr || path == nullptr) return result(INVALID_VALUE);
  FILE* file = fopen(path, "w");
  if (file == nullptr) return result(OPERATING_SYSTEM);
  const auto index = [&](const GraphNode* node) {
    return std::find(graph->nodes.begin(), graph->nodes.end(), node) - graph->nodes.begin();
  };
  fprintf(file, "digraph dot {\n");
  for (const auto* node : graph->nodes) {
    fprintf(file, "  node_%td [label=\"%td %s\"];\n", index(node), index(node), name_of(node->work));
    for (const auto* one : node->needs) fprintf(file, "  node_%td -> node_%td;\n", index(one), index(node));
  }
  fprintf(file, "}\n");
  fclose(file);
  return SUCCESS;
}
