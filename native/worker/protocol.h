// What travels between a pool's thread and its worker process. Both are built together and run on one machine, so
// structs are sent as they are. The number in the greeting detects a worker from a different build.
#pragma once

#include <cstdint>

#include "mmptxc.h"

namespace mmptx {

constexpr uint32_t kWorkerProtocol = 0x6d6d7704;

// The first message to a worker.
struct WorkerOpening {
  uint32_t protocol;
  // Whether it confines itself, and whether it then compiles a kernel of its own before its greeting: where a system's
  // libraries need a call that is not allowed, it dies of that, and no job with it.
  uint8_t confine;
  uint8_t probe;
  uint16_t unused;
  // The maximum resident size in bytes that the parent checks; zero means no limit.
  uint64_t memoryLimit;
};

enum class WorkerState : uint32_t {
  ready = 0,
  // It has too few threads or too little memory at the moment.
  shortage = 1,
  // It can't compile anything; `problem` has the reason.
  unusable = 2,
};

// The first message of a worker.
struct WorkerGreeting {
  uint32_t protocol;
  WorkerState state;
  uint8_t confined;
  // The reason why it is not ready, or not confined as it was asked to be.
  char problem[503];
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
