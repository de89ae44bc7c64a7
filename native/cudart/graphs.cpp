// Graphs and executable graphs: how they are made, copied, updated and launched. An executable graph is a copy, so its
// nodes can be changed without changing the graph.
#include "graphs.h"

#include <algorithm>

#include "errors.h"

namespace cudart {
namespace {

std::shared_ptr<Conditional> copy_of(const Conditional& conditional, Copies* copies) {
  auto copy = std::make_shared<Conditional>();
  copy->handle = conditional.handle;
  copy->type = conditional.type;
  for (const auto& body : conditional.bodies) copy->add(copy_of(*body, copies));
  return copy;
}

/** Whether two graphs have the same nodes, apart from their parameters. */
bool has_same_nodes(const Graph& one, const Graph& other) {
  if (one.nodes.size() != other.nodes.size()) return false;
  for (size_t i = 0; i < one.nodes.size(); i++) {
    const Work &own = one.nodes[i]->work, &given = other.nodes[i]->work;
    if (own.type != given.type || one.nodes[i]->needs.size() != other.nodes[i]->needs.size()) return false;
    if (own.type == Work::CHILD && !has_same_nodes(*own.child, *given.child)) return false;
    if (own.type != Work::CONDITIONAL) continue;
    const auto &bodies = own.conditional->bodies, &others = given.conditional->bodies;
    if (bodies.size() != others.size()) return false;
    for (size_t j = 0; j < bodies.size(); j++)
      if (!has_same_nodes(*bodies[j], *others[j])) return false;
  }
  return true;
}

/** Takes over the parameters of the nodes of a graph that has the same ones. */
void update(Graph* own, const Graph& given) {
  for (size_t i = 0; i < own->nodes.size(); i++) {
    Work& work = own->nodes[i]->work;
    const Work& other = given.nodes[i]->work;
    if (work.type == Work::CHILD) {
      update(work.child.get(), *other.child);
    } else if (work.type == Work::CONDITIONAL) {
      for (size_t j = 0; j < work.conditional->bodies.size(); j++)
        update(work.conditional->bodies[j].get(), *other.conditional->bodies[j]);
    } else {
      work = other;
    }
  }
}

}  // namespace

std::unique_ptr<Graph> copy_of(const Graph& graph, Copies* copies) {
  auto copy = std::make_unique<Graph>();
  copy->handles = graph.handles;
  retain_objects(graph, copy.get());
  for (const auto* node : graph.nodes) {
    auto* made = add_node(copy.get(), node->work, {});
    made->enabled = node->enabled;
    made->original = node;
    made->attributes = node->attributes;
    if (node->work.child != nullptr) made->work.child = copy_of(*node->work.child, copies);
    if (node->work.conditional != nullptr) made->work.conditional = copy_of(*node->work.conditional, copies);
    (*copies)[node] = made;
  }
  for (const auto* node : graph.nodes)
    for (const auto* one : node->needs)
      if (copies->count(one) != 0) (*copies)[node]->needs.push_back((*copies)[one]);
  return copy;
}

GraphNode* copy_in(GraphExec* exec, const GraphNode* node) {
  if (exec == nullptr) return nullptr;
  const auto found = exec->copies.find(node);
  return found == exec->copies.end() ? nullptr : found->second;
}

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
  Copies copies;
  *clone = copy_of(*graph, &copies).release();
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphNodeFindInClone(GraphNode** found, GraphNode* original, Graph* clone) {
  if (found == nullptr || clone == nullptr) return result(INVALID_VALUE);
  const auto& nodes = clone->nodes;
  const auto at = std::find_if(nodes.begin(), nodes.end(),
                               [&](const GraphNode* node) { return node->original == original; });
  if (at == nodes.end()) return result(INVALID_VALUE);
  *found = *at;
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

namespace {

/** What `cudaGraphInstantiateWithParams` gets, and gets back. */
struct InstantiateParameters {
  unsigned long long flags;
  Stream* upload;
  GraphNode* error_node;
  /** 0 is success. */
  int result;
};

/** The result of an update: 0 is success, 2 a topology that differs. */
struct UpdateResult {
  int result;
  GraphNode* node;
  GraphNode* from;
};

}  // namespace

CUDART_EXPORT Error cudaGraphInstantiateWithParams(GraphExec** exec, Graph* graph, InstantiateParameters* given) {
  if (given == nullptr) return result(INVALID_VALUE);
  given->error_node = nullptr;
  given->result = 0;
  return cudaGraphInstantiate(exec, graph, given->flags);
}
CUDART_PTSZ(cudaGraphInstantiateWithParams)
CUDART_EXPORT Error cudaGraphExecGetFlags(GraphExec* exec, unsigned long long* flags) {
  if (exec == nullptr || flags == nullptr) return result(INVALID_VALUE);
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
  if (stream_of(stream)->capture == nullptr) {
    if (const Error error = begin_launch(*exec->graph, exec->flags)) return result(error);
    return result(run_graph(*exec->graph));
  }
  Work work;
  const Error error = child_work(exec->graph.get(), &work);
  return result(error != SUCCESS ? error : submit(stream, work));
}
CUDART_PTSZ(cudaGraphLaunch)
CUDART_EXPORT Error cudaGraphExecUpdate(GraphExec* exec, Graph* graph, UpdateResult* told) {
  if (exec == nullptr || graph == nullptr) return result(INVALID_VALUE);
  const bool is_same = has_same_nodes(*exec->graph, *graph);
  if (told != nullptr) *told = {is_same ? 0 : 2, nullptr, nullptr};
  if (!is_same) return result(GRAPH_UPDATE_FAILURE);
  update(exec->graph.get(), *graph);
  return SUCCESS;
}

CUDART_EXPORT Error cudaGraphNodeSetEnabled(GraphExec* exec, GraphNode* node, unsigned enabled) {
  GraphNode* own = copy_in(exec, node);
  if (own == nullptr) return result(INVALID_VALUE);
  own->enabled = enabled != 0;
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphNodeGetEnabled(GraphExec* exec, GraphNode* node, unsigned* enabled) {
  const GraphNode* own = copy_in(exec, node);
  if (own == nullptr || enabled == nullptr) return result(INVALID_VALUE);
  *enabled = own->enabled ? 1 : 0;
  return SUCCESS;
}
