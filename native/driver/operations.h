// What a session can be asked for: operations by number. Most are one function of the driver, and are named as it is.
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

// By their numbers.
const Operation *operationOf(uint16_t number);
uint16_t operationCount();

// The first one ends a session.
constexpr uint16_t kCloseOperation = 0;

}  // namespace mmptx
