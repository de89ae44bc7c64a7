// Pending work is counted here and not in pools and sessions: while there is any, its owner's object is strong and the
// event loop stays alive. Everything but `wake` runs on the environment's own thread.
#include "environment.h"

#include <vector>

#include "external.h"
#include "patience.h"
#include "result.h"

namespace mmptx {

PoolHandle::PoolHandle(Environment &owner, MakeExecutor makeExecutor, unsigned threads)
    : environment(&owner), pool(std::move(makeExecutor), threads, [&owner] { owner.wake(); }) {
  environment->pools_.insert(this);
}

PoolHandle::~PoolHandle() {
  close();
  if (environment != nullptr) environment->pools_.erase(this);
}

void PoolHandle::close() {
  if (closed) return;
  closed = true;
  pool.close(Clock::time_point::min());
  if (environment != nullptr) environment->removePending(*this, pending);
}

SessionHandle::SessionHandle(Environment &owner, std::shared_ptr<Session> made)
    : environment(&owner), number(++owner.lastSession_), open(std::make_shared<OpenSession>(std::move(made))) {
  environment->sessions_.insert(this);
}

SessionHandle::~SessionHandle() {
  // Memory that JavaScript can still reach may keep the session alive longer than the environment that it would wake.
  session().forget();
  if (environment == nullptr) return;
  environment->removePending(*this, pending);
  environment->sessions_.erase(this);
}

Environment &Environment::of(Napi::Env env) { return *env.GetInstanceData<Environment>(); }

void Environment::install(Napi::Env env) { env.SetInstanceData(new Environment(env)); }

void Environment::onResults(Napi::Env env, Napi::Function wake) {
  if (wake_ != nullptr) throw Napi::Error::New(env, "expected one function for results, found a second");
  check(env,
        napi_create_threadsafe_function(env, wake, nullptr, Napi::String::New(env, "mmptx"), 0, 1, nullptr, nullptr,
                                        nullptr, nullptr, &wake_),
        "napi_create_threadsafe_function");
  // Hooks run in reverse order, so this one runs while the thread-safe function still exists.
  env.AddCleanupHook([](Environment *self) { self->shutDown(); }, this);
  check(env, napi_unref_threadsafe_function(env, wake_), "napi_unref_threadsafe_function");
}

void Environment::wake() {
  {
    std::lock_guard<std::mutex> lock(wakeMutex_);
    awake_ = true;
  }
  woken_.notify_one();
  napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

void Environment::awaitWake() {
  const auto wait = [this](Clock::time_point until) {
    std::unique_lock<std::mutex> lock(wakeMutex_);
    const bool woken = woken_.wait_until(lock, until, [this] { return awake_; });
    awake_ = false;
    return woken;
  };
  waitUnless(Clock::time_point::max(), wait, [this] { return isEnding(); });
}

// From then on, functions that could run JavaScript are refused.
bool Environment::isEnding() const {
  napi_handle_scope scope = nullptr;
  if (napi_open_handle_scope(env_, &scope) != napi_ok) return true;
  napi_value date = nullptr;
  const bool ending = napi_create_date(env_, 0, &date) != napi_ok;
  napi_close_handle_scope(env_, scope);
  return ending;
}

void Environment::addPending(Awaited &handle, uint32_t count) {
  if (count == 0) return;
  if (handle.pending == 0) napi_reference_ref(env_, handle.object, nullptr);
  if (pending_ == 0) napi_ref_threadsafe_function(env_, wake_);
  handle.pending += count;
  pending_ += count;
}

void Environment::removePending(Awaited &handle, uint32_t count) {
  if (count == 0 || down_) return;
  handle.pending -= count;
  pending_ -= count;
  if (handle.pending == 0) napi_reference_unref(env_, handle.object, nullptr);
  if (pending_ == 0) napi_unref_threadsafe_function(env_, wake_);
}

Napi::Array Environment::drain(Napi::Env env, std::size_t limit) {
  std::vector<Finished> batch;
  batch.reserve(limit);
  Napi::Array results = Napi::Array::New(env);
  uint32_t count = 0;
  for (PoolHandle *handle : pools_) {
    // This includes pools with nothing pending: only `take` lets a pool announce again after its results were
    // cancelled.
    if (batch.size() >= limit) continue;
    const std::size_t before = batch.size();
    handle->pool.take(batch, limit - before);
    removePending(*handle, static_cast<uint32_t>(batch.size() - before));
  }
  for (Finished &finished : batch) {
    check(env, napi_set_element(env, results, count++, toJavaScript(env, finished)), "napi_set_element");
  }
  return results;
}

std::vector<SessionReply> Environment::takeReplies(std::size_t limit) {
  std::vector<SessionReply> all;
  std::vector<Reply> batch;
  for (SessionHandle *handle : sessions_) {
    batch.clear();
    handle->session().take(batch, limit - all.size());
    uint32_t answered = 0;
    for (Reply &reply : batch) {
      // A failure of a record without a ticket is not waited for.
      if (reply.ticket != 0 && !reply.idle) answered++;
      all.push_back({handle->number, std::move(reply)});
    }
    removePending(*handle, answered);
    if (all.size() >= limit) break;
  }
  return all;
}

void Environment::shutDown() {
  down_ = true;
  const Clock::time_point deadline = Clock::now() + kShutDownWait;
  // Tell all of them to stop before waiting for any.
  for (PoolHandle *handle : pools_) handle->pool.close(Clock::time_point::min());
  for (SessionHandle *handle : sessions_) handle->session().close(Clock::time_point::min());
  for (SessionHandle *handle : sessions_) {
    handle->session().close(deadline);
    handle->environment = nullptr;
  }
  sessions_.clear();
  for (PoolHandle *handle : pools_) {
    handle->pool.close(deadline);
    handle->closed = true;
    handle->environment = nullptr;
  }
  pools_.clear();
  if (wake_ != nullptr) napi_release_threadsafe_function(wake_, napi_tsfn_abort);
}

}  // namespace mmptx
