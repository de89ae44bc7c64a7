// The messages between a program and the emulator beside it. A message is a header and a body; the emulator answers only
// the messages that ask for it. packages/emulator/src/runtime/wire.ts reads the same numbers.
#pragma once
#include <cstdint>

namespace cudart {

constexpr uint32_t WIRE_VERSION = 4;

enum class Operation : uint32_t {
  HELLO = 1,
  LOAD_MODULE = 2,
  FIND_KERNEL = 3,
  FIND_VARIABLE = 4,
  ALLOCATE = 5,
  FREE = 6,
  WRITE_BYTES = 7,
  COPY = 8,
  FILL = 9,
  LAUNCH = 10,
  SYNCHRONIZE = 11,
  RECORD = 12,
  ELAPSED = 13,
  RESET = 14,
  SEND_BYTES = 15,
  RECEIVE_BYTES = 16,
  FREE_BYTES = 17,
  RESIZE_HEAP = 18,
  CREATE_IMAGE = 19,
  DESTROY_IMAGE = 20,
  RESIZE_STACK = 21,
  REPORT_ERROR = 22,
};

/** Set in the header's operation if the sender waits for an answer. */
constexpr uint32_t WANTS_ANSWER = 0x80000000u;

struct MessageHeader {
  uint32_t operation;
  /** Of what follows. */
  uint32_t bytes;
};

struct AnswerHeader {
  /** A number of the CUDA runtime's errors. */
  int32_t error;
  /** Text of the kernels that were executed, for the program's standard output. */
  uint32_t printed_bytes;
  /** After the printed text. */
  uint32_t bytes;
  /** Whether the error stays until the device is reset. */
  uint32_t sticky;
};

/** The sides of a copy. */
enum CopySide : uint32_t { ON_DEVICE = 0, IN_PROGRAM = 1 };

/** Rows of bytes, on the device or in the memory of the program. */
struct CopyMessage {
  uint64_t target, source;
  uint32_t target_side, source_side;
  uint64_t width, height, depth;
  uint64_t target_pitch, source_pitch;
  uint64_t target_slice, source_slice;
};

struct FillMessage {
  uint64_t target;
  uint32_t value, value_bytes;
  uint64_t width, height, depth;
  uint64_t pitch, slice;
};

enum ImageFlag : uint32_t {
  IMAGE_LAYERED = 1,
  IMAGE_LINEAR = 2,
  IMAGE_FILTERED = 4,
  IMAGE_NORMALIZED = 8,
  IMAGE_READS_NORMALIZED = 16,
  IMAGE_CUBE = 32
};

/** A texture or surface object. Channel kinds and address modes have the numbers of the CUDA runtime. */
struct ImageMessage {
  uint32_t is_surface, dimensions, flags;
  uint32_t width, height, depth;
  uint32_t channels, bits, channel_kind;
  uint32_t modes[3];
  float border[4];
  uint64_t pitch, slice, address;
};

struct LaunchMessage {
  uint32_t kernel;
  uint32_t grid[3], block[3], cluster[3];
  uint32_t dynamic_bytes;
  uint32_t cooperative;
};

/** The answer to FIND_KERNEL, followed by offset and size of each parameter. */
struct KernelAnswer {
  uint32_t kernel;
  uint32_t parameters;
  uint32_t parameter_bytes;
  uint32_t max_threads;
  uint64_t shared_bytes, local_bytes, constant_bytes;
  uint32_t ptx_version;
  /** The sizes that the kernel states (`.reqntid`, `.reqnctapercluster`); 0 if it does not. */
  uint32_t block[3], cluster[3];
  /** The most blocks of a cluster (`.maxclusterrank`), or 0; and whether a launch has to state it. */
  uint32_t max_cluster_blocks, needs_cluster;
  uint32_t reserved;
};

/** What findings may be about. */
enum Wish : uint32_t { WANTS_CALLS = 1, WANTS_ERRORS = 2 };

/** The answer to HELLO. */
struct HelloAnswer {
  uint64_t memory_bytes;
  uint32_t capability_major, capability_minor;
  /** Whether the emulator can access the program's memory; otherwise bytes are sent. */
  uint32_t direct;
  /** Of {@link Wish}. */
  uint32_t wishes;
};

}  // namespace cudart
