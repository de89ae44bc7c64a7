// Events: they are recorded, waited for and timed. In a capture, they are edges between nodes of the graph.
#include <string.h>

#include "errors.h"
#include "objects.h"

namespace cudart {

Error record_event(const Event& event) {
  Message message(Operation::RECORD);
  message.add(event.id);
  return post(message);
}

}  // namespace cudart

using namespace cudart;

namespace {

/** In a capture, an event with this flag is a node rather than an edge. */
constexpr unsigned EXTERNAL = 1;

Error submit_event(Stream* stream, Work::Type type, Event* event) {
  Work work;
  work.type = type;
  work.event = event;
  return submit(stream, work);
}

}  // namespace

CUDART_EXPORT Error cudaEventCreateWithFlags(Event** event, unsigned flags) {
  if (event == nullptr) return result(INVALID_VALUE);
  auto* made = new Event;
  made->id = static_cast<uint32_t>(next_id());
  made->flags = flags;
  *event = made;
  return result(device_error());
}
CUDART_EXPORT Error cudaEventCreate(Event** event) { return cudaEventCreateWithFlags(event, 0); }
CUDART_EXPORT Error cudaEventDestroy(Event* event) {
  if (event == nullptr) return result(INVALID_HANDLE);
  delete event;
  return SUCCESS;
}
CUDART_EXPORT Error cudaEventRecordWithFlags(Event* event, Stream* handle, unsigned flags) {
  if (event == nullptr) return result(INVALID_HANDLE);
  Stream* stream = stream_of(handle);
  if (stream->capture != nullptr && (flags & EXTERNAL) != 0) return result(submit_event(handle, Work::RECORD, event));
  if (stream->capture != nullptr) {
    event->capture = stream->capture;
    event->nodes = stream->last;
    return SUCCESS;
  }
  event->capture = nullptr;
  event->recorded = true;
  return result(record_event(*event));
}
CUDART_PTSZ(cudaEventRecordWithFlags)
CUDART_EXPORT Error cudaEventRecord(Event* event, Stream* stream) { return cudaEventRecordWithFlags(event, stream, 0); }
CUDART_PTSZ(cudaEventRecord)
CUDART_EXPORT Error cudaEventSynchronize(Event* event) {
  if (event == nullptr) return result(INVALID_HANDLE);
  if (event->capture != nullptr) return result(CAPTURE_UNSUPPORTED);
  return result(wait_for_device());
}
CUDART_EXPORT Error cudaEventQuery(Event* event) { return cudaEventSynchronize(event); }
CUDART_EXPORT Error cudaEventElapsedTime(float* milliseconds, Event* start, Event* end) {
  if (milliseconds == nullptr) return result(INVALID_VALUE);
  if (start == nullptr || end == nullptr || !start->recorded || !end->recorded) return result(INVALID_HANDLE);
  constexpr unsigned DISABLE_TIMING = 2;
  if (((start->flags | end->flags) & DISABLE_TIMING) != 0) return result(INVALID_HANDLE);
  Message message(Operation::ELAPSED);
  message.add(start->id).add(end->id);
  Answer answer;
  if (const Error error = request(message, &answer)) return result(error);
  memcpy(milliseconds, answer.data(), sizeof *milliseconds);
  return SUCCESS;
}
CUDART_ALSO(cudaEventElapsedTime, cudaEventElapsedTime_v2)
CUDART_EXPORT Error cudaStreamWaitEvent(Stream* handle, Event* event, unsigned flags) {
  if (event == nullptr) return result(INVALID_HANDLE);
  Stream* stream = stream_of(handle);
  if (stream->capture != nullptr && (flags & EXTERNAL) != 0) return result(submit_event(handle, Work::WAIT, event));
  if (event->capture == nullptr) return result(device_error());
  if (stream->capture == nullptr) join_capture(stream, event->capture);
  for (auto* node : event->nodes) stream->last.push_back(node);
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamWaitEvent)
