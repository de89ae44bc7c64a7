// What a session can be asked to do: operations by number. Most are a single driver function and have its name.
#pragma once

#include <cstdint>

namespace mmptx {

struct Call;

struct Operation {
  const char *name;
  unsigned slots;
  int (*run)(Call &call);
  bool needsDriver = true;
};

// Indexed by number.
const Operation *operationOf(uint16_t number);
uint16_t operationCount();

// The first one ends a session.
constexpr uint16_t kCloseOperation = 0;

}  // namespace mmptx
