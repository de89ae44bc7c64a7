// An operation in progress, and the wrapper that turns the signature of one driver function into an operation.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "engine.h"
#include "operations.h"

namespace mmptx {

struct Call {
  Engine &engine;
  const Record &record;
  Reply &reply;
  // The function that was called last, which is blamed for a failure.
  Function function = Function::cuInit;
  // The reply is sent later by somebody else.
  bool later = false;
  unsigned nextSlot = 0;

  Driver &driver() const { return *engine.driver_; }
  Registry &registry() const { return engine.registry_; }
  Transfers &transfers() const { return engine.transfers_; }
  int &device() const { return engine.device_; }
  void *&context() const { return engine.context_; }

  uint64_t slot() { return record.slots[nextSlot++]; }
  std::string text() const {
    return std::string(reinterpret_cast<const char *>(record.payload), record.header.payloadBytes);
  }
  int malformed(const char *why) const {
    reply.text = why;
    return kMalformed;
  }
  template <typename... Arguments>
  int call(Function which, Arguments... arguments) {
    function = which;
    return driver().call(which, arguments...);
  }
};

inline void *pointerOf(uint64_t word) { return reinterpret_cast<void *>(static_cast<uintptr_t>(word)); }

template <typename Value>
uint64_t wordOf(Value value) {
  if constexpr (std::is_pointer_v<Value>) {
    return reinterpret_cast<uintptr_t>(value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  } else {
    // Sign-extends signed numbers.
    return static_cast<uint64_t>(value);
  }
}

// The parameters of a function. Each states how many slots it takes, what is passed to the driver, and what is
// returned.
template <typename Value>
class In {
 public:
  static constexpr unsigned kSlots = 1;
  explicit In(Call &call) {
    const uint64_t word = call.slot();
    if constexpr (std::is_pointer_v<Value>) value_ = static_cast<Value>(pointerOf(word));
    else value_ = static_cast<Value>(word);
  }
  Value argument() { return value_; }
  void give(Reply &) {}

 private:
  Value value_;
};

// A word that the function reads through a pointer.
class InWord {
 public:
  static constexpr unsigned kSlots = 1;
  explicit InWord(Call &call) : value_(call.slot()) {}
  uint64_t *argument() { return &value_; }
  void give(Reply &) {}

 private:
  uint64_t value_;
};

// The payload as a C string.
class InText {
 public:
  static constexpr unsigned kSlots = 0;
  explicit InText(Call &call) : value_(call.text()) {}
  const char *argument() { return value_.c_str(); }
  void give(Reply &) {}

 private:
  std::string value_;
};

// A flags parameter that is always 0.
class Zero {
 public:
  static constexpr unsigned kSlots = 0;
  explicit Zero(Call &) {}
  uint32_t argument() { return 0; }
  void give(Reply &) {}
};

class Null {
 public:
  static constexpr unsigned kSlots = 0;
  explicit Null(Call &) {}
  void *argument() { return nullptr; }
  void give(Reply &) {}
};

template <typename Value>
class Out {
 public:
  static constexpr unsigned kSlots = 0;
  explicit Out(Call &) {}
  Value *argument() { return &value_; }
  void give(Reply &reply) { reply.values.push_back(wordOf(value_)); }

 private:
  Value value_{};
};

// A string that the driver owns.
class OutText {
 public:
  static constexpr unsigned kSlots = 0;
  explicit OutText(Call &) {}
  const char **argument() { return &value_; }
  void give(Reply &reply) { reply.text = value_ == nullptr ? "" : value_; }

 private:
  const char *value_ = nullptr;
};

template <std::size_t Size>
class OutBytes {
 public:
  static constexpr unsigned kSlots = 0;
  explicit OutBytes(Call &) {}
  uint8_t *argument() { return value_; }
  void give(Reply &reply) { reply.payload = Bytes(value_, Size); }

 private:
  uint8_t value_[Size] = {};
};

// The operation that calls `Which` with these parameters.
template <Function Which, typename... Parameters>
int direct(Call &call) {
  // The braces guarantee that the slots are read in this order.
  std::tuple<Parameters...> parameters{Parameters(call)...};
  const int status = std::apply(
      [&call](Parameters &...each) { return call.call(Which, each.argument()...); }, parameters);
  if (status == kDone) std::apply([&](Parameters &...each) { (each.give(call.reply), ...); }, parameters);
  return status;
}

// The same for a function that creates something: its handle is the function's first result.
template <Kind Created, Function Which, typename... Parameters>
int creating(Call &call) {
  const int status = direct<Which, Parameters...>(call);
  // A capture that failed ends without a graph.
  if (status == kDone && call.reply.values[0] != 0) call.registry().add(Created, call.reply.values[0]);
  return status;
}

// The same for a function that destroys something: its handle is in the first slot. If the driver refuses to destroy
// it, it stays registered.
template <Kind Destroyed, Function Which, typename... Parameters>
int destroying(Call &call) {
  const uint64_t handle = call.record.slots[0];
  if (!call.registry().has(Destroyed, handle)) return call.malformed("expected what was created here");
  const int status = direct<Which, Parameters...>(call);
  if (status == kDone) call.registry().forget(Destroyed, handle);
  return status;
}

// Operations that are more than one driver function.
int runOpen(Call &call);
int runLoad(Call &call);
int runLaunch(Call &call);
int runDeviceGetName(Call &call);
int runMemPoolCreate(Call &call);
int runEnumerateFunctions(Call &call);
int runAllocations(Call &call);

}  // namespace mmptx
