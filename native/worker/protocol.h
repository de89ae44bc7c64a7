// What travels between a pool's thread and its worker process. Both are built together and run on one machine, so structs
// go as they are; the greeting's number tells a worker of another build.
#pragma once

#include <cstdint>

namespace mmptx {

constexpr uint32_t kWorkerProtocol = 0x6d6d7701;

// The first thing that a worker says. `problem` is empty when it is ready.
struct WorkerGreeting {
  uint32_t protocol;
  char problem[508];
};

// Followed by `size` bytes of PTX.
struct WorkerRequest {
  uint64_t sequence;
  uint64_t size;
  char arch[16];
  int32_t effort;
  int32_t maxRegisters;
  uint32_t flags;
  uint32_t unused;
};

// Followed by the cubin and the two logs.
struct WorkerReply {
  uint64_t sequence;
  uint64_t cubinSize;
  uint64_t infoSize;
  uint64_t errorSize;
  // Bytes of the worker in memory after the compile, and the most so far; zero after a short one.
  uint64_t residentBytes;
  uint64_t peakBytes;
  int32_t status;
  int32_t nativeStatus;
};

// Ends the compile of that request when the compiler next asks whether to go on.
struct WorkerStop {
  uint64_t sequence;
};

}  // namespace mmptx
