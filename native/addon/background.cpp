// What threads touch lies in `Shared`, which they hold: an environment may be gone before they are.
#include "background.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <string>

#include "at_exit.h"

namespace mmptx {

struct Background::Task {
  uint32_t number = 0;
  std::unique_ptr<Work> work;
  std::atomic<bool> stop{false};
  // Why there is no result.
  std::string problem;
};

struct Background::Shared : EndsWithProcess {
  std::mutex mutex;
  std::condition_variable ended;
  std::map<uint32_t, std::shared_ptr<Task>> running;
  // Null before the first work, and when the environment is gone.
  napi_threadsafe_function deliver = nullptr;

  bool close(Clock::time_point deadline) override {
    std::unique_lock<std::mutex> lock(mutex);
    for (const auto &[number, task] : running) task->stop = true;
    return ended.wait_until(lock, deadline, [this] { return running.empty(); });
  }
};

namespace {

// Compilers descend into nested source; the pages of a stack are taken only as it grows.
constexpr std::size_t kStackBytes = std::size_t{64} << 20;

}  // namespace

Background::Background(Napi::Env env) : env_(env), shared_(std::make_shared<Shared>()) {
  env.AddCleanupHook([](Background *self) { delete self; }, this);
}

Background::~Background() = default;

void Background::ready() {
  if (shared_->deliver != nullptr) return;
  napi_threadsafe_function made = nullptr;
  const napi_status status =
      napi_create_threadsafe_function(env_, nullptr, nullptr, Napi::String::New(env_, "mmptx background"), 0, 1, nullptr,
                                      nullptr, this, deliver, &made);
  if (status != napi_ok) throw Napi::Error::New(env_, "napi_create_threadsafe_function failed");
  napi_unref_threadsafe_function(env_, made);
  shared_->deliver = made;
  closeAtExit(shared_);
  // Hooks run in reverse order, so this one runs while the thread-safe function is still there.
  env_.AddCleanupHook([](Background *self) { self->shutDown(); }, this);
}

uint32_t Background::start(std::unique_ptr<Work> work, Napi::Function done) {
  ready();
  auto task = std::make_shared<Task>();
  task->number = next_++;
  task->work = std::move(work);
  using Argument = std::pair<std::shared_ptr<Shared>, std::shared_ptr<Task>>;
  auto argument = std::make_unique<Argument>(shared_, task);
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->running.emplace(task->number, task);
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int failed = pthread_create(&thread, &attributes, runTask, argument.get());
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->running.erase(task->number);
    throw Napi::Error::New(env_, "no thread could be started");
  }
  argument.release();
  if (waiting_.empty()) napi_ref_threadsafe_function(env_, shared_->deliver);
  waiting_.emplace(task->number, Napi::Persistent(done));
  return task->number;
}

void Background::stop(uint32_t number) {
  const auto waiting = waiting_.find(number);
  if (waiting == waiting_.end()) return;
  forget(waiting);
  std::lock_guard<std::mutex> lock(shared_->mutex);
  const auto running = shared_->running.find(number);
  if (running != shared_->running.end()) running->second->stop = true;
}

void Background::forget(std::map<uint32_t, Napi::FunctionReference>::iterator waiting) {
  waiting_.erase(waiting);
  if (waiting_.empty()) napi_unref_threadsafe_function(env_, shared_->deliver);
}

void *Background::runTask(void *argument) {
  using Argument = std::pair<std::shared_ptr<Shared>, std::shared_ptr<Task>>;
  const std::unique_ptr<Argument> own(static_cast<Argument *>(argument));
  auto &[shared, task] = *own;
  try {
    task->work->run(task->stop);
  } catch (const std::exception &error) {
    task->problem = error.what();
  }
  std::lock_guard<std::mutex> lock(shared->mutex);
  shared->running.erase(task->number);
  if (shared->deliver != nullptr) {
    auto result = std::make_unique<std::shared_ptr<Task>>(task);
    if (napi_call_threadsafe_function(shared->deliver, result.get(), napi_tsfn_nonblocking) == napi_ok) result.release();
  }
  shared->ended.notify_all();
  return nullptr;
}

void Background::deliver(napi_env env, napi_value, void *self, void *data) {
  const std::unique_ptr<std::shared_ptr<Task>> own(static_cast<std::shared_ptr<Task> *>(data));
  if (env == nullptr) return;
  Task &task = **own;
  auto &background = *static_cast<Background *>(self);
  const auto waiting = background.waiting_.find(task.number);
  if (waiting == background.waiting_.end()) return;
  const Napi::Function done = waiting->second.Value();
  background.forget(waiting);
  try {
    if (task.problem.empty()) done.Call({task.work->result(env)});
    else done.Call({Napi::Env(env).Undefined(), Napi::String::New(env, task.problem)});
  } catch (const Napi::Error &error) {
    error.ThrowAsJavaScriptException();
  }
}

void Background::shutDown() {
  shared_->close(Clock::now() + kShutDownWait);
  napi_threadsafe_function deliver = nullptr;
  {
    std::lock_guard<std::mutex> lock(shared_->mutex);
    std::swap(deliver, shared_->deliver);
  }
  waiting_.clear();
  napi_release_threadsafe_function(deliver, napi_tsfn_abort);
}

}  // namespace mmptx
