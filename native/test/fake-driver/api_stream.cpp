// Streams, events, captures, graphs.
#include "api.h"
#include "work.h"

namespace fake {
namespace {

constexpr unsigned kLastStreamFlag = 1;
constexpr unsigned kLastEventFlag = 7;
constexpr unsigned kEventWithoutTime = 2;
constexpr int kLastCaptureMode = 2;

enum CaptureStatus { kNotCapturing, kCapturing, kInvalidated };

int destroy(Object *object) {
  if (object == nullptr) return kInvalidHandle;
  object->destroyed = true;
  return kSuccess;
}

int stateOf(const Event &event) { return event.done >= event.asked ? kSuccess : kNotReady; }

void join(Stream &stream, const Event &event) {
  if (stream.capture == event.capture) {
    event.capture->joined.erase(event.capturedOn);
    return;
  }
  stream.capture = event.capture;
  stream.capture->joined.insert(&stream);
}

int elapsed(float *milliseconds, Handle start, Handle end) {
  Call call("cuEventElapsedTime", Needs::context);
  return call.at("start", start).at("end", end).run([&]() -> int {
    const auto *from = call.find<Event>(start);
    const auto *to = call.find<Event>(end);
    if (from == nullptr || to == nullptr || from->asked == 0 || to->asked == 0 || !from->timed || !to->timed) {
      return kInvalidHandle;
    }
    if (stateOf(*from) != kSuccess || stateOf(*to) != kSuccess) return kNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
    return kSuccess;
  });
}

void endCapture(const std::shared_ptr<Capture> &capture) {
  for (const auto &[handle, object] : state().objects) {
    auto *stream = dynamic_cast<Stream *>(object.get());
    if (stream != nullptr && stream->capture == capture) stream->capture = nullptr;
  }
}

}  // namespace

FAKE_API int cuStreamCreateWithPriority(Handle *stream, unsigned flags, int priority) {
  Call call("cuStreamCreateWithPriority", Needs::context);
  return call.with("flags", flags).with("priority", std::to_string(priority)).run([&]() -> int {
    if (flags > kLastStreamFlag) return call.wrong(kInvalidValue, "unknown flags");
    auto *made = state().create<Stream>(call.context());
    state().streams.insert(made);
    *stream = made->handle;
    call.at("stream", *stream);
    return kSuccess;
  });
}

// Queued work still runs.
FAKE_API int cuStreamDestroy_v2(Handle stream) {
  Call call("cuStreamDestroy", Needs::context);
  return call.at("stream", stream).run([&] { return destroy(call.find<Stream>(stream)); });
}

FAKE_API int cuStreamQuery(Handle stream) {
  Call call("cuStreamQuery", Needs::context);
  return call.at("stream", stream).run([&]() -> int {
    const Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    if (found->capture != nullptr) return invalidate(call, *found->capture);
    return found->idle() ? kSuccess : kNotReady;
  });
}

FAKE_API int cuStreamSynchronize(Handle stream) {
  Call call("cuStreamSynchronize", Needs::context);
  return call.at("stream", stream).run([&]() -> int {
    const Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    return found->capture != nullptr ? invalidate(call, *found->capture) : waitFor(call, *found);
  });
}

FAKE_API int cuStreamWaitEvent(Handle stream, Handle event, unsigned flags) {
  Call call("cuStreamWaitEvent", Needs::context);
  return call.at("stream", stream).at("event", event).with("flags", flags).run([&]() -> int {
    Stream *found = call.findStream(stream);
    auto *awaited = call.find<Event>(event, true);
    if (found == nullptr || awaited == nullptr) return kInvalidHandle;
    if (awaited->capture != nullptr) return join(*found, *awaited), kSuccess;
    Work work;
    work.what = "a wait for an event";
    work.after = awaited;
    work.afterRecord = awaited->asked;
    return submit(*found, std::move(work));
  });
}

FAKE_API int cuEventCreate(Handle *event, unsigned flags) {
  Call call("cuEventCreate", Needs::context);
  return call.with("flags", flags).run([&]() -> int {
    if (flags > kLastEventFlag) return call.wrong(kInvalidValue, "unknown flags");
    auto *made = state().create<Event>(call.context());
    made->timed = (flags & kEventWithoutTime) == 0;
    *event = made->handle;
    call.at("event", *event);
    return kSuccess;
  });
}

FAKE_API int cuEventDestroy_v2(Handle event) {
  Call call("cuEventDestroy", Needs::context);
  return call.at("event", event).run([&] { return destroy(call.find<Event>(event)); });
}

FAKE_API int cuEventRecord(Handle event, Handle stream) {
  Call call("cuEventRecord", Needs::context);
  return call.at("event", event).at("stream", stream).run([&]() -> int {
    auto *found = call.find<Event>(event);
    Stream *on = call.findStream(stream);
    if (found == nullptr || on == nullptr) return kInvalidHandle;
    found->capture = on->capture;
    found->capturedOn = on;
    if (on->capture != nullptr) return kSuccess;
    Work work;
    work.what = "the record of an event";
    work.run = [found, record = ++found->asked] {
      found->done = std::max(found->done, record);
      found->time = std::chrono::steady_clock::now();
    };
    return submit(*on, std::move(work));
  });
}

FAKE_API int cuEventQuery(Handle event) {
  Call call("cuEventQuery", Needs::context);
  return call.at("event", event).run([&]() -> int {
    const auto *found = call.find<Event>(event);
    if (found == nullptr) return kInvalidHandle;
    return found->capture != nullptr ? kCapturedEvent : stateOf(*found);
  });
}

FAKE_API int cuEventSynchronize(Handle event) {
  Call call("cuEventSynchronize", Needs::context);
  return call.at("event", event).run([&]() -> int {
    const auto *found = call.find<Event>(event);
    if (found == nullptr) return kInvalidHandle;
    if (found->capture != nullptr) return kCapturedEvent;
    const Context &context = *call.context();
    state().changed.wait(call.lock(), [&] { return stateOf(*found) == kSuccess || context.broken != 0; });
    return context.broken;
  });
}

FAKE_API int cuEventElapsedTime(float *milliseconds, Handle start, Handle end) { return elapsed(milliseconds, start, end); }

FAKE_API int cuEventElapsedTime_v2(float *milliseconds, Handle start, Handle end) { return elapsed(milliseconds, start, end); }

FAKE_API int cuStreamBeginCapture_v2(Handle stream, int mode) {
  Call call("cuStreamBeginCapture", Needs::context);
  return call.at("stream", stream).with("mode", mode).run([&]() -> int {
    Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    if (mode < 0 || mode > kLastCaptureMode) return call.wrong(kInvalidValue, "no such mode");
    if (stream == 0) return call.wrong(kCaptureUnsupported, "the default stream can't be captured");
    if (found->capture != nullptr) return call.wrong(kInvalidValue, "the stream is capturing already");
    found->capture = std::make_shared<Capture>();
    found->capture->mode = mode;
    found->capture->thread = threadNumber();
    found->capture->origin = found;
    state().captures.push_back(found->capture);
    return kSuccess;
  });
}

FAKE_API int cuStreamEndCapture(Handle stream, Handle *graph) {
  Call call("cuStreamEndCapture", Needs::context);
  call.at("stream", stream);
  const auto run = [&]() -> int {
    Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    const std::shared_ptr<Capture> capture = found->capture;
    if (capture == nullptr || capture->origin != found) return call.wrong(kCaptureUnmatched, "no capture began here");
    endCapture(capture);
    *graph = 0;
    if (capture->invalidated) return kCaptureInvalidated;
    if (!capture->joined.empty()) return kCaptureUnjoined;
    auto *made = state().create<Graph>(call.context());
    made->work = std::move(capture->work);
    *graph = made->handle;
    call.with("nodes", made->work.size()).at("graph", *graph);
    return kSuccess;
  };
  // The capture has ended even if this fails.
  return call.run(run, [&] {
    if (const Stream *found = call.findStream(stream)) endCapture(found->capture);
  });
}

FAKE_API int cuStreamIsCapturing(Handle stream, int *status) {
  Call call("cuStreamIsCapturing", Needs::context);
  return call.at("stream", stream).run([&]() -> int {
    const Stream *found = call.findStream(stream);
    if (found == nullptr) return kInvalidHandle;
    *status = found->capture == nullptr ? kNotCapturing : found->capture->invalidated ? kInvalidated : kCapturing;
    return kSuccess;
  });
}

FAKE_API int cuGraphInstantiateWithFlags(Handle *made, Handle graph, unsigned long long flags) {
  Call call("cuGraphInstantiateWithFlags", Needs::context);
  return call.at("graph", graph).with("flags", flags).run([&]() -> int {
    const auto *found = call.find<Graph>(graph);
    if (found == nullptr) return kInvalidHandle;
    auto *exec = state().create<GraphExec>(call.context());
    exec->work = found->work;
    *made = exec->handle;
    call.at("graphExec", *made);
    return kSuccess;
  });
}

FAKE_API int cuGraphLaunch(Handle graph, Handle stream) {
  Call call("cuGraphLaunch", Needs::context);
  return call.at("graphExec", graph).at("stream", stream).run([&]() -> int {
    const auto *found = call.find<GraphExec>(graph);
    Stream *on = call.findStream(stream);
    if (found == nullptr || on == nullptr) return kInvalidHandle;
    for (const Work &each : found->work) {
      for (const Allocation *used : each.uses) {
        if (used->freed || used->freeing) call.complain(each.what + " uses " + hex(used->address) + ", which was freed");
      }
      if (each.function != nullptr && each.function->destroyed) call.complain(each.what + " of a module that was unloaded");
      Work work = each;
      if (work.launch != 0) work.launch = ++state().launches;
      if (const int code = submit(*on, std::move(work)); code != kSuccess) return code;
    }
    return kSuccess;
  });
}

FAKE_API int cuGraphDestroy(Handle graph) {
  Call call("cuGraphDestroy", Needs::context);
  return call.at("graph", graph).run([&] { return destroy(call.find<Graph>(graph)); });
}

FAKE_API int cuGraphExecDestroy(Handle graph) {
  Call call("cuGraphExecDestroy", Needs::context);
  return call.at("graphExec", graph).run([&] { return destroy(call.find<GraphExec>(graph)); });
}

}  // namespace fake
