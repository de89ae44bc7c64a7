// The parts of the CUDA runtime's binary interface that programs pass to it: structs and numbers as the CUDA Runtime API
// documents them. Handles are opaque to programs, so they are pointers to our own objects.
#pragma once
#include <cstddef>
#include <cstdint>

#define CUDART_EXPORT extern "C" __attribute__((visibility("default")))
// The functions of the per-thread default stream: all streams share one queue, so they are the same functions.
#define CUDART_ALSO(name, other) \
  asm(".globl " #other "\n.type " #other ", %function\n.set " #other ", " #name "\n");
#define CUDART_PTSZ(name) CUDART_ALSO(name, name##_ptsz)
#define CUDART_PTDS(name) CUDART_ALSO(name, name##_ptds)

namespace cudart {

enum Error : int {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INITIALIZATION = 3,
  INVALID_CONFIGURATION = 9,
  INVALID_PITCH = 12,
  INVALID_SYMBOL = 13,
  INVALID_HOST_POINTER = 16,
  INVALID_DEVICE_POINTER = 17,
  INVALID_CHANNEL_DESCRIPTOR = 20,
  INVALID_MEMCPY_DIRECTION = 21,
  INVALID_DEVICE_FUNCTION = 98,
  INVALID_DEVICE = 101,
  ALREADY_MAPPED = 208,
  NO_KERNEL_IMAGE = 209,
  FILE_NOT_FOUND = 301,
  OPERATING_SYSTEM = 304,
  INVALID_HANDLE = 400,
  ILLEGAL_STATE = 401,
  SYMBOL_NOT_FOUND = 500,
  NOT_READY = 600,
  LAUNCH_OUT_OF_RESOURCES = 701,
  PEER_ACCESS_NOT_ENABLED = 705,
  HOST_MEMORY_ALREADY_REGISTERED = 712,
  HOST_MEMORY_NOT_REGISTERED = 713,
  COOPERATIVE_TOO_LARGE = 720,
  NOT_SUPPORTED = 801,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
  CAPTURE_UNMATCHED = 903,
  GRAPH_UPDATE_FAILURE = 910,
  INVALID_CLUSTER_SIZE = 912,
  UNKNOWN = 999,
};

struct Dim3 {
  unsigned x, y, z;
};

struct Extent {
  size_t width, height, depth;
};

struct Position {
  size_t x, y, z;
};

struct PitchedPointer {
  void* pointer;
  size_t pitch, xsize, ysize;
};

enum MemcpyKind : int { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, DEFAULT_KIND };

struct ChannelDescription {
  int x, y, z, w, kind;
};

struct Array;
struct Stream;
struct Event;
struct Graph;
struct GraphNode;
struct GraphExec;

struct Location {
  int type, id;
};
enum LocationType : int { ON_THE_DEVICE = 1, ON_THE_HOST = 2 };
/** How CUDA 12 writes the CPU as the number of a device, and no device at all. */
constexpr int CPU_DEVICE = -1, NO_DEVICE = -2;

struct Memcpy3D {
  Array* source_array;
  Position source_position;
  PitchedPointer source;
  Array* target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  MemcpyKind kind;
};

enum ResourceType : int { ARRAY_RESOURCE, MIPMAPPED_RESOURCE, LINEAR_RESOURCE, PITCHED_RESOURCE };

struct ResourceDescription {
  ResourceType type;
  union {
    Array* array;
    struct {
      void* pointer;
      ChannelDescription format;
      size_t bytes;
    } linear;
    struct {
      void* pointer;
      ChannelDescription format;
      size_t width, height, pitch;
    } pitched;
    int reserved[32];
  };
  unsigned flags;
};

struct TextureDescription {
  int address_modes[3];
  int filter_mode, read_mode, srgb;
  float border[4];
  int normalized;
  unsigned max_anisotropy;
  int mipmap_filter_mode;
  float mipmap_bias, min_mipmap, max_mipmap;
  int no_trilinear_optimization, seamless_cube_map;
};

struct FunctionAttributes {
  size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, carveout;
  int cluster_must_be_set, cluster_width, cluster_height, cluster_depth, cluster_policy, non_portable_cluster;
  int reserved[16];
};

enum MemoryType : int { UNREGISTERED, HOST_MEMORY, DEVICE_MEMORY, MANAGED_MEMORY };

/** Attributes of launches, streams and nodes of graphs. */
enum LaunchAttributeId : int {
  POLICY_WINDOW = 1,
  COOPERATIVE = 2,
  CLUSTER_DIMENSION = 4,
  PROGRAMMATIC_EVENT = 7,
  PRIORITY = 8,
  COMPLETION_EVENT = 12,
};

/** What the hardware does with accesses in a window of addresses. */
struct PolicyWindow {
  void* base;
  size_t bytes;
  float hit_ratio;
  int hit, miss;
};

union AttributeValue {
  char bytes[64];
  int number;
  Dim3 dimensions;
  PolicyWindow window;
  struct {
    Event* event;
    int flags;
  } event;
};

struct LaunchAttribute {
  int id;
  char padding[4];
  AttributeValue value;
};

struct LaunchConfiguration {
  Dim3 grid, block;
  size_t dynamic_bytes;
  Stream* stream;
  LaunchAttribute* attributes;
  unsigned count;
};

}  // namespace cudart
