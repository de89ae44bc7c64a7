// What belongs to one JavaScript environment (the main thread or one worker): its pools, the one thread-safe function
// that wakes its event loop, and the count of jobs that keeps the process alive.
#pragma once

#include <napi.h>

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "pool.h"
#include "worker_process.h"

namespace mmptx {

class Environment;

// A pool as JavaScript holds it.
struct PoolHandle {
  PoolHandle(Environment &environment, MakeExecutor makeExecutor, unsigned threads);
  ~PoolHandle();

  // Drops every job without waiting.
  void close();

  Environment *environment;
  Pool pool;
  // By the numbers that JavaScript knows them by.
  std::vector<std::shared_ptr<const Target>> targets;
  // Of the worker processes; null when jobs are compiled on the pool's own threads.
  std::shared_ptr<WorkerTotals> totals;
  // The JavaScript object that owns this handle; strong while jobs are pending, so that garbage collection spares it.
  napi_ref object = nullptr;
  uint32_t pending = 0;
  bool closed = false;
};

class Environment {
 public:
  static Environment &of(Napi::Env env);

  // Called once, when the addon is loaded into the environment.
  static void install(Napi::Env env);

  // Sets the function that is called, without arguments, when results wait to be taken.
  void onResults(Napi::Env env, Napi::Function wake);
  bool ready() const { return wake_ != nullptr; }

  Napi::Array drain(Napi::Env env, std::size_t limit);

  // The environment is kept alive while jobs are pending, and only then.
  void addPending(PoolHandle &handle);
  void removePending(PoolHandle &handle, uint32_t count);

  void wake();

 private:
  friend struct PoolHandle;
  explicit Environment(napi_env env) : env_(env) {}
  void shutDown();

  napi_env env_;
  napi_threadsafe_function wake_ = nullptr;
  std::set<PoolHandle *> pools_;
  uint64_t pending_ = 0;
  bool down_ = false;
};

}  // namespace mmptx
