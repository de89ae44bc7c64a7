// What belongs to one JavaScript environment (the main thread or one worker): its pools and sessions, the one
// thread-safe function that wakes its event loop, and the count of pending work, which keeps the process alive.
#pragma once

#include <napi.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "pool.h"
#include "session.h"
#include "worker_process.h"

namespace mmptx {

class Environment;

// Something that JavaScript holds and waits for.
struct Awaited {
  // The JavaScript object that owns it. The reference is strong while work is pending, so that the object is not
  // collected.
  napi_ref object = nullptr;
  uint32_t pending = 0;
};

// A pool as JavaScript holds it.
struct PoolHandle : Awaited {
  PoolHandle(Environment &environment, MakeExecutor makeExecutor, unsigned threads);
  ~PoolHandle();

  // Drops every job without waiting.
  void close();

  Environment *environment;
  Pool pool;
  // Indexed by the numbers that JavaScript uses.
  std::vector<std::shared_ptr<const std::string>> targets;
  // Statistics of the worker processes; null if jobs are compiled on the pool's own threads.
  std::shared_ptr<WorkerTotals> totals;
  bool closed = false;
};

// A session is closed when nothing refers to it any more: neither its handle nor memory of it that JavaScript can
// reach.
struct OpenSession {
  explicit OpenSession(std::shared_ptr<Session> made) : session(std::move(made)) {}
  ~OpenSession() { session->close(Clock::time_point::min()); }

  const std::shared_ptr<Session> session;
};

// A session as JavaScript holds it.
struct SessionHandle : Awaited {
  SessionHandle(Environment &environment, std::shared_ptr<Session> session);
  ~SessionHandle();

  Session &session() const { return *open->session; }

  Environment *environment;
  const uint32_t number;
  const std::shared_ptr<OpenSession> open;
};

// A reply, with the number of its session.
struct SessionReply {
  uint32_t session;
  Reply reply;
};

class Environment {
 public:
  static Environment &of(Napi::Env env);

  // Called once, when the addon is loaded into the environment.
  static void install(Napi::Env env);

  // Sets the function that is called, without arguments, when there are results to take.
  void onResults(Napi::Env env, Napi::Function wake);
  bool ready() const { return wake_ != nullptr; }

  Napi::Array drain(Napi::Env env, std::size_t limit);
  // At most `limit` replies of all sessions.
  std::vector<SessionReply> takeReplies(std::size_t limit);

  // The environment is kept alive exactly while something is pending.
  void addPending(Awaited &handle, uint32_t count = 1);
  void removePending(Awaited &handle, uint32_t count);

  void wake();

  // Blocks the environment's thread until it is woken or its environment ends. Returns at once if it was woken since the
  // last call.
  void awaitWake();

  // Whether the environment was told to end. A blocked thread has no other way to find out.
  bool isEnding() const;

 private:
  friend struct PoolHandle;
  friend struct SessionHandle;
  explicit Environment(napi_env env) : env_(env) {}
  void shutDown();

  napi_env env_;
  napi_threadsafe_function wake_ = nullptr;
  std::set<PoolHandle *> pools_;
  std::set<SessionHandle *> sessions_;
  uint32_t lastSession_ = 0;
  uint64_t pending_ = 0;
  bool down_ = false;
  std::mutex wakeMutex_;
  std::condition_variable woken_;
  bool awake_ = false;
};

}  // namespace mmptx
