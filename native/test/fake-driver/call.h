// One call of the fake driver, from its arguments to the line in the log: what every function does first and last.
#pragma once

#include <string>
#include <utility>

#include "state.h"

namespace fake {

// What a function needs before it can be called at all.
enum class Needs { nothing, initialized, context };

class Call {
 public:
  Call(const char *name, Needs needs);

  // For the log, in the order in which they are added.
  Call &with(const char *name, uint64_t value);
  Call &with(const char *name, const std::string &text);
  Call &at(const char *name, uint64_t address) { return with(name, hex(address)); }

  // Runs the body under the lock, or `failed` if the call fails before that, and logs the outcome.
  template <typename Body>
  int run(Body body) {
    return run(body, [] {});
  }
  template <typename Body, typename Failed>
  int run(Body body, Failed failed) {
    std::unique_lock<std::mutex> lock(state().mutex);
    int code = begin();
    lock_ = &lock;
    if (code == kSuccess) {
      code = body();
    } else {
      failed();
    }
    lock_ = nullptr;
    return end(code);
  }

  // The following members are for bodies.
  Context *context() const { return context_; }
  std::unique_lock<std::mutex> &lock() { return *lock_; }

  // The live object of a handle, or null and a line in the log. It must belong to the current context.
  template <typename Kind>
  Kind *find(Handle handle, bool anyContext = false) {
    Object *object = lookUp(handle, Kind::kKind);
    auto *found = dynamic_cast<Kind *>(object);
    if (object != nullptr && found == nullptr) wrongKind(handle, Kind::kKind, object->kind());
    if (found == nullptr || !usable(*found, anyContext)) return nullptr;
    return found;
  }
  // 0 is the default stream of the context.
  Stream *findStream(Handle handle);

  // The memory that contains a range, or null and a line in the log. It must belong to the current context or one of
  // its peers, or to the given context.
  Allocation *findMemory(const char *what, Address address, uint64_t bytes, bool host = false,
                         const Context *of = nullptr);

  // Reports something that a correct program never does with a line in the log.
  void complain(const std::string &what);
  // The same, with the code that the call returns.
  int wrong(int code, const std::string &what);

 private:
  int begin();
  int end(int code);
  Object *lookUp(Handle handle, const char *expected);
  void wrongKind(Handle handle, const char *expected, const char *found);
  bool usable(const Object &object, bool anyContext);

  const char *name_;
  Needs needs_;
  std::string arguments_;
  Context *context_ = nullptr;
  std::unique_lock<std::mutex> *lock_ = nullptr;
};

// Per calling thread.
Context *&currentContext();

// Whether the thread is in a callback of a stream.
bool &inCallback();

}  // namespace fake
