// What travels between a pool's thread and its worker process. Both are built together and run on one machine, so
// structs are sent as they are. The number in the greeting detects a worker from a different build.
#pragma once

#include <cstdint>

#include "mmptxc.h"

namespace mmptx {

constexpr uint32_t kWorkerProtocol = 0x6d6d7702;

// The first message of a worker. `problem` is empty if it is ready.
struct WorkerGreeting {
  uint32_t protocol;
  char problem[508];
};

// Followed by `size` bytes of PTX.
struct WorkerRequest {
  uint64_t sequence;
  uint64_t size;
  char arguments[MMPTXC_ARGUMENTS_SIZE];
};

// Followed by the cubin and the two logs.
struct WorkerReply {
  uint64_t sequence;
  uint64_t cubinSize;
  uint64_t infoSize;
  uint64_t errorSize;
  // The resident size of the worker after the compile, and its maximum so far; zero after a short compile.
  uint64_t residentBytes;
  uint64_t peakBytes;
  int32_t status;
  int32_t nativeStatus;
};

// Ends the compile of that request when the compiler next checks.
struct WorkerStop {
  uint64_t sequence;
};

}  // namespace mmptx
