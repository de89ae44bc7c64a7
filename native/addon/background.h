// Work on threads of its own, one for each piece, whose result comes back to the event loop. Who asks bounds how many there
// are at a time.
#pragma once

#include <napi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>

namespace mmptx {

// Something that takes long, and knows no JavaScript until it is done.
class Work {
 public:
  virtual ~Work() = default;
  // On a thread. `stop` is set once nobody waits any more.
  virtual void run(const std::atomic<bool> &stop) = 0;
  // On the event loop's thread, afterwards.
  virtual Napi::Value result(Napi::Env env) = 0;
};

// Of one JavaScript environment.
class Background {
 public:
  explicit Background(Napi::Env env);
  ~Background();

  // Starts work; `done` gets its result, or `undefined` and what went wrong. Returns the number for `stop`.
  uint32_t start(std::unique_ptr<Work> work, Napi::Function done);

  // Asks the work to end; `done` is not called any more. What has ended already is left alone.
  void stop(uint32_t number);

 private:
  struct Task;
  struct Shared;

  static void deliver(napi_env env, napi_value, void *self, void *data);
  static void *runTask(void *argument);
  void ready();
  void forget(std::map<uint32_t, Napi::FunctionReference>::iterator waiting);
  void shutDown();

  Napi::Env env_;
  std::shared_ptr<Shared> shared_;
  std::map<uint32_t, Napi::FunctionReference> waiting_;
  uint32_t next_ = 1;
};

}  // namespace mmptx
