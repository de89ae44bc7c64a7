#include "call.h"

namespace fake {
Context *&currentContext() {
  static thread_local Context *current = nullptr;
  return current;
}

bool &inCallback() {
  static thread_local bool inside = false;
  return inside;
}

Call::Call(const char *name, Needs needs) : name_(name), needs_(needs) {}

Call &Call::with(const char *name, uint64_t value) { return with(name, std::to_string(value)); }

Call &Call::with(const char *name, const std::string &text) {
  arguments_ += std::string(" ") + name + "=";
  for (const char each : text) arguments_ += each == ' ' || each == '\n' ? '_' : each;
  return *this;
}

int Call::begin() {
  State &all = state();
  readAgain();
  if (inCallback()) return wrong(kNotSupported, "called in a host function");
  context_ = currentContext();
  const unsigned number = ++all.calls[name_];
  const auto [first, last] = all.control.failures.equal_range(name_);
  for (auto each = first; each != last; ++each) {
    if (each->second.call == number || each->second.call == 0) return each->second.code;
  }
  if (needs_ == Needs::nothing) return kSuccess;
  if (!all.initialized) return wrong(kNotInitialized, "called before cuInit");
  if (needs_ == Needs::initialized) return kSuccess;
  if (context_ == nullptr) return wrong(kInvalidContext, "called without a current context");
  if (context_->destroyed) return wrong(kContextIsDestroyed, "called with a context that was released");
  return context_->broken;
}

int Call::end(int code) {
  if (code != kSuccess || !state().control.quiet) writeLog(name_ + arguments_ + " -> " + std::to_string(code));
  return code;
}

void Call::complain(const std::string &what) { violation(std::string(name_) + ": " + what); }

int Call::wrong(int code, const std::string &what) {
  complain(what);
  return code;
}

Object *Call::lookUp(Handle handle, const char *expected) {
  const auto found = state().objects.find(handle);
  if (found != state().objects.end()) return found->second.get();
  complain(std::string("expected a ") + expected + ", found " + hex(handle) + ", which is not a handle");
  return nullptr;
}

void Call::wrongKind(Handle handle, const char *expected, const char *found) {
  complain(std::string("expected a ") + expected + ", found the " + found + " " + hex(handle));
}

bool Call::usable(const Object &object, bool anyContext) {
  const bool foreign = !anyContext && object.context != context_;
  if (!object.destroyed && !foreign) return true;
  const char *why = object.destroyed ? " was destroyed" : " is of another context";
  complain(std::string(object.kind()) + " " + hex(object.handle) + why);
  return false;
}

Stream *Call::findStream(Handle handle) {
  return handle == 0 ? state().defaultStream(context_) : find<Stream>(handle);
}

Allocation *Call::findMemory(const char *what, Address address, uint64_t bytes, bool host, const Context *of) {
  const std::string words = std::string(what) + " " + hex(address);
  Allocation *found = state().allocationAt(address);
  if (found == nullptr || (found->kind == Allocation::host) != host) {
    complain(words + " is no " + (host ? "pinned memory" : "memory of a device"));
    return nullptr;
  }
  if (found->freed || found->freeing) {
    complain(words + " was freed");
    return nullptr;
  }
  if (address - found->address + bytes > found->bytes) {
    complain(words + " with " + std::to_string(bytes) + " bytes is beyond an allocation of " +
                 std::to_string(found->bytes));
    return nullptr;
  }
  const bool reached = of != nullptr ? found->context == of
                                     : found->context == context_ || context_->peers.count(found->context) > 0;
  if (!host && !reached) {
    complain(words + " is of another context");
    return nullptr;
  }
  return found;
}

}  // namespace fake
