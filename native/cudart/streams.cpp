#include "streams.h"

#include <atomic>

#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "mutex.h"
#include "objects.h"

namespace cudart {
namespace {

std::atomic<uint64_t> next_id{3};
/** Streams that captures have joined, so that ending a capture releases them. */
Mutex& capturing_mutex() {
  static auto* mutex = new Mutex;
  return *mutex;
}
std::vector<Stream*>& capturing() {
  static auto* all = new std::vector<Stream*>;
  return *all;
}

void join_capture(Stream* stream, Graph* graph) {
  stream->capture = graph;
  Hold hold(capturing_mutex());
  capturing().push_back(stream);
}

void leave_capture(Graph* graph) {
  Hold hold(capturing_mutex());
  auto& all = capturing();
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i]->capture != graph) continue;
    all[i]->capture = nullptr;
    all[i]->last.clear();
    all[i]->is_origin = false;
    all.erase(all.begin() + static_cast<long>(i));
  }
}

Error launch(const Work& work) {
  if (const Error error = before_launch(work.parameters.data(), work.parameters.size())) return error;
  Message message(Operation::LAUNCH);
  message.add(work.launch).add(work.parameters.data(), work.parameters.size());
  return post(message);
}

Error record(const Event& event) {
  Message message(Operation::RECORD);
  message.add(event.id);
  return post(message);
}

}  // namespace

Stream* stream_of(Stream* handle) {
  static auto* standard = new Stream;
  // The handles 1 and 2 are cudaStreamLegacy and cudaStreamPerThread. Each thread has one that it can capture.
  if (reinterpret_cast<uintptr_t>(handle) < 2) return standard;
  if (reinterpret_cast<uintptr_t>(handle) > 2) return handle;
  static thread_local auto* own = new Stream;
  return own;
}

Error run(const Work& work) {
  switch (work.type) {
    case Work::LAUNCH:
      return launch(work);
    case Work::COPY:
      return run_copy(work.copy);
    case Work::FILL:
      return run_fill(work.fill);
    case Work::HOST:
      if (const Error error = wait_for_device()) return error;
      work.function(work.data);
      return SUCCESS;
    case Work::CHILD:
      return run_graph(*work.child);
    case Work::CONDITIONAL:
      return run_conditional(*work.conditional);
    case Work::RECORD:
      work.event->recorded = true;
      return record(*work.event);
    case Work::ALLOCATE:
      return run_allocation(work);
    case Work::FREE: {
      Error error = SUCCESS;
      return free_graph_memory(work.address, &error) ? error : free_device(work.address);
    }
    default:
      return device_error();
  }
}

Error submit(Stream* handle, const Work& work) {
  Stream* stream = stream_of(handle);
  if (stream->capture == nullptr) return run(work);
  stream->last = {add_node(stream->capture, work, stream->last)};
  return SUCCESS;
}

Error wait_for_device() {
  const Error error = synchronize();
  const Error moved = after_synchronization();
  return error != SUCCESS ? error : moved;
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaDeviceSynchronize() { return result(wait_for_device()); }
CUDART_EXPORT Error cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

CUDART_EXPORT Error cudaStreamCreateWithPriority(Stream** stream, unsigned flags, int priority) {
  if (stream == nullptr) return result(INVALID_VALUE);
  auto* made = new Stream;
  made->flags = flags;
  made->priority = priority < -5 ? -5 : priority > 0 ? 0 : priority;
  made->id = next_id++;
  *stream = made;
  return result(device_error());
}
CUDART_EXPORT Error cudaStreamCreate(Stream** stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
CUDART_EXPORT Error cudaStreamCreateWithFlags(Stream** stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
CUDART_EXPORT Error cudaStreamDestroy(Stream* stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2 || stream->magic != Stream().magic) return result(INVALID_HANDLE);
  // Its memory is kept: programs may use a destroyed stream by mistake, which has to stay an error.
  stream->magic = 0;
  return result(device_error());
}
CUDART_EXPORT Error cudaStreamSynchronize(Stream* stream) {
  if (stream_of(stream)->capture != nullptr) return result(CAPTURE_UNSUPPORTED);
  if (stream_of(stream)->magic != Stream().magic) return result(INVALID_HANDLE);
  return result(wait_for_device());
}
CUDART_PTSZ(cudaStreamSynchronize)
CUDART_EXPORT Error cudaStreamQuery(Stream* stream) { return cudaStreamSynchronize(stream); }
CUDART_PTSZ(cudaStreamQuery)
CUDART_EXPORT Error cudaStreamGetFlags(Stream* stream, unsigned* flags) {
  *flags = stream_of(stream)->flags;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamGetFlags)
CUDART_EXPORT Error cudaStreamGetPriority(Stream* stream, int* priority) {
  *priority = stream_of(stream)->priority;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamGetPriority)
CUDART_EXPORT Error cudaStreamGetId(Stream* stream, unsigned long long* id) {
  *id = stream_of(stream)->id;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamGetId)
CUDART_EXPORT Error cudaStreamGetDevice(Stream*, int* device) {
  *device = 0;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamGetDevice)
CUDART_EXPORT Error cudaStreamAttachMemAsync(Stream*, void*, size_t, unsigned) { return result(device_error()); }
CUDART_PTSZ(cudaStreamAttachMemAsync)
CUDART_EXPORT Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return SUCCESS;
}

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
  made->id = static_cast<uint32_t>(next_id++);
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
  return result(record(*event));
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

CUDART_EXPORT Error cudaLaunchHostFunc(Stream* stream, HostFunction function, void* data) {
  if (function == nullptr) return result(INVALID_VALUE);
  Work work;
  work.type = Work::HOST;
  work.function = function;
  work.data = data;
  return result(submit(stream, work));
}
CUDART_PTSZ(cudaLaunchHostFunc)
CUDART_EXPORT Error cudaStreamAddCallback(Stream* stream, void (*callback)(Stream*, Error, void*), void* data,
                                          unsigned) {
  if (callback == nullptr) return result(INVALID_VALUE);
  if (stream_of(stream)->capture != nullptr) return result(CAPTURE_UNSUPPORTED);
  const Error error = wait_for_device();
  callback(stream, error, data);
  return result(error);
}
CUDART_PTSZ(cudaStreamAddCallback)

CUDART_EXPORT Error cudaStreamBeginCapture(Stream* handle, int) {
  Stream* stream = stream_of(handle);
  // The default stream of the program can't be captured.
  if (stream == stream_of(nullptr)) return result(CAPTURE_UNSUPPORTED);
  if (stream->capture != nullptr) return result(ILLEGAL_STATE);
  auto* graph = new Graph;
  graph->id = next_id++;
  stream->is_origin = true;
  stream->last.clear();
  join_capture(stream, graph);
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamBeginCapture)
CUDART_EXPORT Error cudaStreamBeginCaptureToGraph(Stream* handle, Graph* graph, GraphNode* const* needs, const void*,
                                                  size_t count, int) {
  Stream* stream = stream_of(handle);
  if (stream == stream_of(nullptr)) return result(CAPTURE_UNSUPPORTED);
  if (graph == nullptr || stream->capture != nullptr) return result(ILLEGAL_STATE);
  stream->is_origin = true;
  stream->last.assign(needs, needs + count);
  join_capture(stream, graph);
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamBeginCaptureToGraph)
CUDART_EXPORT Error cudaStreamEndCapture(Stream* handle, Graph** graph) {
  Stream* stream = stream_of(handle);
  if (stream->capture == nullptr) return result(ILLEGAL_STATE);
  if (!stream->is_origin) return result(CAPTURE_UNMATCHED);
  // A capture into a graph of the program has no new one.
  if (graph != nullptr) *graph = stream->capture;
  leave_capture(stream->capture);
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamEndCapture)
CUDART_EXPORT Error cudaStreamIsCapturing(Stream* stream, int* status) {
  *status = stream_of(stream)->capture != nullptr ? 1 : 0;
  return SUCCESS;
}
CUDART_PTSZ(cudaStreamIsCapturing)
CUDART_EXPORT Error cudaThreadExchangeStreamCaptureMode(int*) { return SUCCESS; }

namespace {

Error capture_info(Stream* handle, int* status, unsigned long long* id, Graph** graph, GraphNode* const** needs,
                   size_t* count) {
  Stream* stream = stream_of(handle);
  *status = stream->capture != nullptr ? 1 : 0;
  if (stream->capture == nullptr) return SUCCESS;
  if (id != nullptr) *id = stream->capture->id;
  if (graph != nullptr) *graph = stream->capture;
  if (needs != nullptr) *needs = stream->last.data();
  if (count != nullptr) *count = stream->last.size();
  return SUCCESS;
}

Error update_dependencies(Stream* handle, GraphNode** nodes, size_t count, unsigned flags) {
  Stream* stream = stream_of(handle);
  if (stream->capture == nullptr) return result(ILLEGAL_STATE);
  constexpr unsigned SET = 1;
  if ((flags & SET) != 0) stream->last.clear();
  stream->last.insert(stream->last.end(), nodes, nodes + count);
  return SUCCESS;
}

}  // namespace

#if MM_PTX_CUDART_VERSION >= 13
CUDART_EXPORT Error cudaStreamGetCaptureInfo(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                             GraphNode* const** needs, const void** edges, size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return capture_info(stream, status, id, graph, needs, count);
}
#else
CUDART_EXPORT Error cudaStreamGetCaptureInfo(Stream* stream, int* status, unsigned long long* id) {
  return capture_info(stream, status, id, nullptr, nullptr, nullptr);
}
CUDART_EXPORT Error cudaStreamGetCaptureInfo_v2(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                                GraphNode* const** needs, size_t* count) {
  return capture_info(stream, status, id, graph, needs, count);
}
CUDART_PTSZ(cudaStreamGetCaptureInfo_v2)
CUDART_EXPORT Error cudaStreamGetCaptureInfo_v3(Stream* stream, int* status, unsigned long long* id, Graph** graph,
                                                GraphNode* const** needs, const void** edges, size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return capture_info(stream, status, id, graph, needs, count);
}
CUDART_PTSZ(cudaStreamGetCaptureInfo_v3)
CUDART_EXPORT Error cudaStreamUpdateCaptureDependencies(Stream* handle, GraphNode** nodes, size_t count,
                                                        unsigned flags) {
  return update_dependencies(handle, nodes, count, flags);
}
CUDART_PTSZ(cudaStreamUpdateCaptureDependencies)
#endif
CUDART_PTSZ(cudaStreamGetCaptureInfo)
CUDART_EXPORT Error cudaStreamUpdateCaptureDependencies_v2(Stream* handle, GraphNode** nodes, const void*, size_t count,
                                                           unsigned flags) {
  return update_dependencies(handle, nodes, count, flags);
}
CUDART_PTSZ(cudaStreamUpdateCaptureDependencies_v2)
#if MM_PTX_CUDART_VERSION >= 13
CUDART_ALSO(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies)
CUDART_ALSO(cudaStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies_ptsz)
#endif
