// The state of the fake driver: contexts, handles, memory, and streams with their queued work. One lock guards all of
// it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "control.h"
#include "image.h"
#include "numbers.h"

namespace fake {

struct Context;

// What a handle refers to. It is never freed, so that using a destroyed handle differs from using an invalid one.
struct Object {
  virtual ~Object() = default;
  virtual const char *kind() const = 0;

  Handle handle = 0;
  Context *context = nullptr;
  bool destroyed = false;
};

template <typename Self>
struct Named : Object {
  const char *kind() const override { return Self::kKind; }
};

struct Context : Named<Context> {
  static constexpr const char *kKind = "context";
  int device = 0;
  unsigned retained = 0;
  // The sticky error, or 0.
  int broken = 0;
  std::set<Context *> peers;
};

// Device memory, a module's variable, or pinned host memory.
struct Allocation {
  enum Kind { device, pool, variable, host };
  static const char *nameOf(Kind kind);

  Kind kind = device;
  Context *context = nullptr;
  Address address = 0;
  uint64_t bytes = 0;
  char *memory = nullptr;
  // The pool that it came from, or null.
  const struct Pool *of = nullptr;
  bool freed = false;
  // cuMemFreeAsync was called, but has not run yet.
  bool freeing = false;
};

struct Event;

// A piece of a stream's work.
struct Work {
  std::string what;
  // The memory that it reads or writes.
  std::vector<Allocation *> uses;
  // The kernel and the number of a launch; otherwise 0.
  struct Function *function = nullptr;
  unsigned launch = 0;
  // Starts when that record of the event is done.
  Event *after = nullptr;
  uint64_t afterRecord = 0;
  std::function<void()> run;
  // A callback of the program, called without the lock.
  std::function<void()> call;
};

struct Capture {
  int mode = 0;
  uint64_t thread = 0;
  struct Stream *origin = nullptr;
  // Streams that joined the capture and that its origin has not waited for.
  std::set<struct Stream *> joined;
  bool invalidated = false;
  std::vector<Work> work;
};

struct Stream : Named<Stream> {
  static constexpr const char *kKind = "stream";
  std::deque<Work> queue;
  // The work in progress, which is no longer in the queue.
  const Work *running = nullptr;
  bool hung = false;
  std::shared_ptr<Capture> capture;

  bool idle() const { return queue.empty() && running == nullptr; }
};

struct Event : Named<Event> {
  static constexpr const char *kKind = "event";
  bool timed = true;
  // The number of the last record that was queued, and of the last one that is done.
  uint64_t asked = 0;
  uint64_t done = 0;
  std::chrono::steady_clock::time_point time;
  std::shared_ptr<Capture> capture;
  Stream *capturedOn = nullptr;
};

struct Module : Named<Module> {
  static constexpr const char *kKind = "module";
  Image image;
  std::vector<struct Function *> functions;
  std::map<std::string, Allocation *> variables;
};

struct Function : Named<Function> {
  static constexpr const char *kKind = "function";
  Module *module = nullptr;
  Kernel kernel;
  // The limit that was set; 0 if none was.
  int dynamicShared = 0;
};

struct Pool : Named<Pool> {
  static constexpr const char *kKind = "pool";
  bool ofDevice = false;
  uint64_t mostUsed = 0;
  std::map<int, uint64_t> attributes;
};

struct Graph : Named<Graph> {
  static constexpr const char *kKind = "graph";
  std::vector<Work> work;
};

struct GraphExec : Named<GraphExec> {
  static constexpr const char *kKind = "graphExec";
  std::vector<Work> work;
};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  Control control;
  std::map<std::string, unsigned> calls;
  unsigned launches = 0;
  bool initialized = false;
  bool working = false;
  Handle lastHandle = 0x5a000000;
  Address lastAddress = 0x30000000000;
  std::unordered_map<Handle, std::unique_ptr<Object>> objects;
  std::map<int, Context *> primary;
  std::map<int, Pool *> devicePools;
  // By their first address. Freed ones stay, because addresses are not reused.
  std::map<Address, std::unique_ptr<Allocation>> allocations;
  std::set<Stream *> streams;
  std::vector<std::weak_ptr<Capture>> captures;

  template <typename Kind>
  Kind *create(Context *context) {
    auto made = std::make_unique<Kind>();
    Kind *object = made.get();
    object->handle = lastHandle += 0x10;
    object->context = context;
    objects[object->handle] = std::move(made);
    return object;
  }

  // The allocation whose range contains this address, freed or not; null if no range contains it.
  Allocation *allocationAt(Address address);
  // Null if it is more than the device has.
  Allocation *allocate(Allocation::Kind kind, Context *context, uint64_t bytes);
  void release(Allocation &allocation);
  uint64_t used(const Context *context) const;
  uint64_t used(const Pool *pool) const;

  Stream *defaultStream(Context *context);
  void destroyContext(Context &context);
};

// Never destroyed: threads use it until the process ends.
State &state();

// For all devices; the numbers are those of `DeviceAttribute` and others of the driver.
int deviceAttribute(int attribute);

// Applies the current contents of the control file.
void readAgain();

uint64_t threadNumber();

// Lines of the file `log` beside the library, each with the numbers of process and thread.
void writeLog(const std::string &line);
void violation(const std::string &what);

std::string hex(uint64_t number);
std::string hexBytes(const void *bytes, size_t count);

}  // namespace fake
