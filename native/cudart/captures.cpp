// Captures: while a graph is captured, work of its streams becomes nodes of it.
#include "errors.h"
#include "mutex.h"
#include "objects.h"

namespace cudart {
namespace {

/** Streams that captures have joined, so that ending a capture releases them. */
Mutex& capturing_mutex() {
  static auto* mutex = new Mutex;
  return *mutex;
}
std::vector<Stream*>& capturing() {
  static auto* all = new std::vector<Stream*>;
  return *all;
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

}  // namespace

void join_capture(Stream* stream, Graph* graph) {
  stream->capture = graph;
  Hold hold(capturing_mutex());
  capturing().push_back(stream);
}

}  // namespace cudart

using namespace cudart;

CUDART_EXPORT Error cudaStreamBeginCapture(Stream* handle, int) {
  Stream* stream = stream_of(handle);
  // The default stream of the program can't be captured.
  if (stream == stream_of(nullptr)) return result(CAPTURE_UNSUPPORTED);
  if (stream->capture != nullptr) return result(ILLEGAL_STATE);
  auto* graph = new Graph;
  graph->id = next_id();
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
