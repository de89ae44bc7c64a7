// User objects: data of the program that is destroyed when neither the program nor a graph refers to it.
#include <algorithm>

#include "errors.h"
#include "graphs.h"
#include "mutex.h"

namespace cudart {

struct UserObject {
  void* data;
  HostFunction destroy;
  unsigned references;
};

namespace {

Mutex& objects_mutex() {
  static auto* mutex = new Mutex;
  return *mutex;
}

Error release(UserObject* object, unsigned count) {
  Hold hold(objects_mutex());
  if (object == nullptr || count == 0 || count > object->references) return INVALID_VALUE;
  object->references -= count;
  if (object->references > 0) return SUCCESS;
  object->destroy(object->data);
  delete object;
  return SUCCESS;
}

Error retain(UserObject* object, unsigned count) {
  Hold hold(objects_mutex());
  if (object == nullptr || count == 0) return INVALID_VALUE;
  object->references += count;
  return SUCCESS;
}

}  // namespace

void retain_objects(const Graph& from, Graph* to) {
  for (auto* object : from.objects) retain(object, 1);
  to->objects = from.objects;
}

Graph::~Graph() {
  for (auto* node : nodes) delete node;
  for (auto* object : objects) release(object, 1);
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaUserObjectCreate(UserObject** object, void* data, HostFunction destroy, unsigned references,
                                         unsigned) {
  if (object == nullptr || destroy == nullptr || references == 0) return result(INVALID_VALUE);
  *object = new UserObject{data, destroy, references};
  return SUCCESS;
}
CUDART_EXPORT Error cudaUserObjectRetain(UserObject* object, unsigned count) { return result(retain(object, count)); }
CUDART_EXPORT Error cudaUserObjectRelease(UserObject* object, unsigned count) { return result(release(object, count)); }
CUDART_EXPORT Error cudaGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count, unsigned flags) {
  constexpr unsigned MOVE = 1;
  if (graph == nullptr || object == nullptr || count == 0) return result(INVALID_VALUE);
  // References that are moved are those of the caller.
  if ((flags & MOVE) == 0)
    if (const Error error = retain(object, count)) return result(error);
  graph->objects.insert(graph->objects.end(), count, object);
  return SUCCESS;
}
CUDART_EXPORT Error cudaGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned count) {
  if (graph == nullptr) return result(INVALID_VALUE);
  auto& all = graph->objects;
  if (count == 0 || std::count(all.begin(), all.end(), object) < static_cast<long>(count)) return result(INVALID_VALUE);
  for (unsigned i = 0; i < count; i++) all.erase(std::find(all.begin(), all.end(), object));
  return result(release(object, count));
}
