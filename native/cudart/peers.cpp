// What a machine with one GPU answers about other devices, and copies between devices, of which both are the same.
#include "errors.h"
#include "memory.h"
#include "objects.h"

using namespace cudart;

extern "C" Error cudaMemcpy(void* target, const void* source, size_t bytes, MemcpyKind kind);
extern "C" Error cudaMemcpyAsync(void* target, const void* source, size_t bytes, MemcpyKind kind, Stream* stream);
extern "C" Error cudaMemcpy3D(const Memcpy3D* request);
extern "C" Error cudaMemcpy3DAsync(const Memcpy3D* request, Stream* stream);

namespace {

struct PeerCopy {
  Array* source_array;
  Position source_position;
  PitchedPointer source;
  int source_device;
  Array* target_array;
  Position target_position;
  PitchedPointer target;
  int target_device;
  Extent extent;
};

Memcpy3D own_copy(const PeerCopy& peer) {
  return {peer.source_array,    peer.source_position, peer.source, peer.target_array,
          peer.target_position, peer.target,          peer.extent, DEFAULT_KIND};
}

}  // namespace

CUDART_EXPORT Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return result(INVALID_VALUE);
  if (device != 0 || peer != 0) return result(INVALID_DEVICE);
  *can = 0;
  return result(device_error());
}
CUDART_EXPORT Error cudaDeviceEnablePeerAccess(int, unsigned flags) {
  return result(flags != 0 ? INVALID_VALUE : INVALID_DEVICE);
}
CUDART_EXPORT Error cudaDeviceDisablePeerAccess(int peer) {
  return result(peer == 0 ? PEER_ACCESS_NOT_ENABLED : INVALID_DEVICE);
}
// Its two devices have to differ.
CUDART_EXPORT Error cudaDeviceGetP2PAttribute(int*, int, int, int) { return result(INVALID_DEVICE); }

CUDART_EXPORT Error cudaMemcpyPeer(void* target, int target_device, const void* source, int source_device,
                                   size_t bytes) {
  if (target_device != 0 || source_device != 0) return result(INVALID_DEVICE);
  return cudaMemcpy(target, source, bytes, DEFAULT_KIND);
}
CUDART_EXPORT Error cudaMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                        size_t bytes, Stream* stream) {
  if (target_device != 0 || source_device != 0) return result(INVALID_DEVICE);
  return cudaMemcpyAsync(target, source, bytes, DEFAULT_KIND, stream);
}
CUDART_EXPORT Error cudaMemcpy3DPeer(const PeerCopy* request) {
  if (request == nullptr) return result(INVALID_VALUE);
  if (request->source_device != 0 || request->target_device != 0) return result(INVALID_DEVICE);
  const Memcpy3D own = own_copy(*request);
  return cudaMemcpy3D(&own);
}
CUDART_PTDS(cudaMemcpy3DPeer)
CUDART_EXPORT Error cudaMemcpy3DPeerAsync(const PeerCopy* request, Stream* stream) {
  if (request == nullptr) return result(INVALID_VALUE);
  if (request->source_device != 0 || request->target_device != 0) return result(INVALID_DEVICE);
  const Memcpy3D own = own_copy(*request);
  return cudaMemcpy3DAsync(&own, stream);
}
CUDART_PTSZ(cudaMemcpy3DPeerAsync)
