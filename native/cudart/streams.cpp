// Streams and the work that is put into them.
#include "streams.h"

#include <atomic>

#include "errors.h"
#include "host_memory.h"
#include "memory.h"
#include "objects.h"

namespace cudart {
namespace {

Error launch(const Work& work) {
  if (const Error error = before_launch(work.parameters.data(), work.parameters.size())) return error;
  Message message(Operation::LAUNCH);
  message.add(work.launch).add(work.parameters.data(), work.parameters.size());
  return post(message);
}

}  // namespace

uint64_t next_id() {
  // The first are those of the default streams.
  static std::atomic<uint64_t> next{3};
  return next++;
}

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
      return record_event(*work.event);
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
  made->id = next_id();
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
