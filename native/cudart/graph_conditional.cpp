// Conditional nodes: graphs that run if, or as long as, a value is not zero. The handle of a condition is the address
// of its value on the device, which `cudaGraphSetConditional` in a kernel writes
// (packages/emulator/src/runtime/device-runtime.ts).
#include <string.h>

#include "errors.h"
#include "graphs.h"

namespace cudart {
namespace {

enum ConditionalType : int { IF = 0, WHILE = 1, SWITCH = 2 };

Error value_of(const Conditional& conditional, uint32_t* value) {
  Message message(Operation::RECEIVE_BYTES);
  message.add(conditional.handle).add(uint64_t{sizeof *value});
  Answer answer;
  if (const Error error = request(message, &answer)) return error;
  memcpy(value, answer.data(), sizeof *value);
  return SUCCESS;
}

/** The graph that runs for a value; null if none does. */
const Graph* body_for(const Conditional& conditional, uint32_t value) {
  const size_t index = conditional.type == SWITCH ? value : value != 0 ? 0 : 1;
  return index < conditional.bodies.size() ? conditional.bodies[index].get() : nullptr;
}

Error assign_defaults(const Graph& graph) {
  for (const auto& one : graph.handles) {
    if (!one->is_assigned) continue;
    Message message(Operation::WRITE_BYTES);
    message.add(one->memory->address).add(one->value);
    if (const Error error = post(message)) return error;
  }
  for (const auto* node : graph.nodes) {
    if (node->work.child != nullptr)
      if (const Error error = assign_defaults(*node->work.child)) return error;
    if (node->work.conditional == nullptr) continue;
    for (const auto& body : node->work.conditional->bodies)
      if (const Error error = assign_defaults(*body)) return error;
  }
  return SUCCESS;
}

}  // namespace

void Conditional::add(std::shared_ptr<Graph> body) {
  bodies.push_back(body);
  shown.push_back(body.get());
}

Error conditional_work(ConditionalParameters* given, Work* work) {
  if (given == nullptr || given->handle == 0 || given->size == 0) return INVALID_VALUE;
  const unsigned most = given->type == IF ? 2 : given->type == WHILE ? 1 : given->type == SWITCH ? ~0u : 0;
  if (given->size > most) return INVALID_VALUE;
  work->type = Work::CONDITIONAL;
  work->conditional = std::make_shared<Conditional>();
  work->conditional->handle = given->handle;
  work->conditional->type = given->type;
  for (unsigned i = 0; i < given->size; i++) work->conditional->add(std::make_shared<Graph>());
  given->bodies = work->conditional->shown.data();
  return SUCCESS;
}

Error run_conditional(const Conditional& conditional) {
  while (true) {
    uint32_t value = 0;
    if (const Error error = value_of(conditional, &value)) return error;
    const Graph* body = body_for(conditional, value);
    if (body == nullptr) return SUCCESS;
    const Error error = run_graph(*body);
    if (error != SUCCESS || conditional.type != WHILE) return error;
  }
}

Error begin_launch(const Graph& graph, uint64_t flags) {
  const Error error = free_unless_live(graph, (flags & AUTO_FREE_ON_LAUNCH) != 0);
  return error != SUCCESS ? error : assign_defaults(graph);
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaGraphConditionalHandleCreate(uint64_t* handle, Graph* graph, unsigned value, unsigned flags) {
  constexpr unsigned ASSIGN_DEFAULT = 1;
  if (handle == nullptr || graph == nullptr || flags > ASSIGN_DEFAULT) return result(INVALID_VALUE);
  auto made = std::make_shared<ConditionalHandle>();
  if (const Error error = reserve_memory(sizeof value, &made->memory)) return result(error);
  made->value = value;
  made->is_assigned = flags == ASSIGN_DEFAULT;
  graph->handles.push_back(made);
  *handle = made->memory->address;
  return SUCCESS;
}
