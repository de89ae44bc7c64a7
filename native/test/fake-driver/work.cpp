#include "work.h"

#include <algorithm>
#include <thread>

namespace fake {
namespace {

constexpr std::chrono::milliseconds kLookAgain{2};

bool ready(const Stream &stream) {
  if (stream.queue.empty() || stream.hung) return false;
  if (stream.context->broken != 0) return true;
  const Work &next = stream.queue.front();
  return next.after == nullptr || next.after->done >= next.afterRecord;
}

// Host functions and copies of a broken context never run.
void perform(std::unique_lock<std::mutex> &lock, Stream &stream) {
  State &all = state();
  const Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  if (stream.context->broken != 0) return;
  if (work.launch != 0 && all.control.hangs.count(work.launch) > 0) {
    stream.hung = true;
    stream.queue.push_front(work);
    return;
  }
  for (const Allocation *each : work.uses) {
    if (each->freed) violation(work.what + " uses freed " + Allocation::nameOf(each->kind) + " " + hex(each->address));
  }
  stream.running = &work;
  if (work.run != nullptr) work.run();
  if (work.call != nullptr) {
    lock.unlock();
    inCallback() = true;
    work.call();
    inCallback() = false;
    lock.lock();
  }
  stream.running = nullptr;
  const auto sticky = all.control.sticky.find(work.launch);
  if (work.launch != 0 && sticky != all.control.sticky.end()) stream.context->broken = sticky->second;
}

// One thread does the work of all streams, a piece of each in turn.
void workOff() {
  State &all = state();
  std::unique_lock<std::mutex> lock(all.mutex);
  for (;;) {
    bool did = false;
    if (!all.control.hold) {
      const std::vector<Stream *> streams(all.streams.begin(), all.streams.end());
      for (Stream *stream : streams) {
        if (!ready(*stream)) continue;
        perform(lock, *stream);
        did = true;
      }
    }
    if (did) {
      all.changed.notify_all();
      continue;
    }
    const bool waiting =
        std::any_of(all.streams.begin(), all.streams.end(), [](const Stream *each) { return !each->idle(); });
    if (!waiting) {
      all.changed.wait(lock);
    } else {
      // The control file may say to continue.
      all.changed.wait_for(lock, kLookAgain);
      readAgain();
    }
  }
}

void beginWorking() {
  if (state().working) return;
  state().working = true;
  std::thread(workOff).detach();
}

// The first matching piece of work that is queued or running; in a broken context, nothing runs any more.
template <typename Suits>
std::string unfinished(const Stream *otherThan, Suits suits) {
  for (const Stream *stream : state().streams) {
    if (stream == otherThan || stream->context->broken != 0) continue;
    if (stream->running != nullptr && suits(*stream->running)) return stream->running->what;
    for (const Work &work : stream->queue) {
      if (suits(work)) return work.what;
    }
  }
  return "";
}

}  // namespace

int submit(Stream &stream, Work work) {
  if (stream.capture != nullptr) {
    if (stream.capture->invalidated) return kCaptureInvalidated;
    stream.capture->work.push_back(std::move(work));
    return kSuccess;
  }
  stream.queue.push_back(std::move(work));
  beginWorking();
  state().changed.notify_all();
  return kSuccess;
}

int waitFor(Call &call, const Stream &stream) {
  state().changed.wait(call.lock(), [&] { return stream.idle() || stream.context->broken != 0; });
  return stream.context->broken;
}

std::string userOf(const Allocation &allocation, const Stream *otherThan) {
  return unfinished(otherThan, [&](const Work &work) {
    return std::find(work.uses.begin(), work.uses.end(), &allocation) != work.uses.end();
  });
}

std::string userOf(const Function &function) {
  return unfinished(nullptr, [&](const Work &work) { return work.function == &function; });
}

int invalidate(Call &call, Capture &capture) {
  capture.invalidated = true;
  return call.wrong(kCaptureUnsupported, "not permitted while a stream is capturing");
}

int refuseWhileCapturing(Call &call) {
  constexpr int kRelaxed = 2;
  constexpr int kThreadLocal = 1;
  for (const auto &each : state().captures) {
    const auto capture = each.lock();
    if (capture == nullptr || capture->mode == kRelaxed) continue;
    if (capture->mode == kThreadLocal && capture->thread != threadNumber()) continue;
    return invalidate(call, *capture);
  }
  return kSuccess;
}

}  // namespace fake
