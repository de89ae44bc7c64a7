// Streams, events and the work that is put into them. All streams share the emulator's queue, so work runs in the order of
// the calls, and streams only matter for captures.
#pragma once
#include <memory>
#include <vector>

#include "connection.h"
#include "modules.h"

namespace cudart {

using HostFunction = void (*)(void*);

struct Conditional;
struct GraphAllocation;

/** Work of a stream or of a node of a graph. */
struct Work {
  /** The numbers of `cudaGraphNodeType`. */
  enum Type : int {
    LAUNCH = 0,
    COPY = 1,
    FILL = 2,
    HOST = 3,
    CHILD = 4,
    EMPTY = 5,
    WAIT = 6,
    RECORD = 7,
    ALLOCATE = 10,
    FREE = 11,
    CONDITIONAL = 13,
  };
  Type type = EMPTY;
  Kernel* kernel = nullptr;
  LaunchMessage launch{};
  std::vector<uint8_t> parameters;
  CopyMessage copy{};
  FillMessage fill{};
  HostFunction function = nullptr;
  void* data = nullptr;
  Event* event = nullptr;
  /** Of a child graph, owned by the node. */
  std::shared_ptr<Graph> child;
  std::shared_ptr<Conditional> conditional;
  /** Of an allocation, or the address to free. */
  uint64_t address = 0;
  size_t bytes = 0;
  std::shared_ptr<GraphAllocation> allocation;
  /** Of a copy, as the program has stated it. */
  std::shared_ptr<const Memcpy3D> request;
};

/** Puts work into a stream: runs it, or adds it to the graph that the stream captures. */
Error submit(Stream* stream, const Work& work);
/** Runs work now. */
Error run(const Work& work);

/** Waits for the work of all streams, and moves shared memory back to the program. */
Error wait_for_device();

}  // namespace cudart
